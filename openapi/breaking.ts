// Two versions of the document -> what a client built against the old one would notice. Pure.
// `redocly diff` judges too; this adds what it cannot know: open lists, and who writes a webhook.
import {
  change,
  type Change,
  compareSchemas,
  isObject,
  listAt,
  objectAt,
  textOf,
} from './compare-schemas.ts';
import type { Writer } from './compare-schemas.ts';
import type { JsonObject } from './schema-openness.ts';

export interface AcceptedChange {
  readonly rule: string;
  readonly at: string;
  readonly reason: string;
}

export function compareDocuments(old: JsonObject, now: JsonObject): Change[] {
  const compare = { old, now };
  return [
    ...(['paths', 'webhooks'] as const).flatMap((section) => compareSection(compare, section)),
    ...Object.keys(objectAt(objectAt(old, 'components'), 'schemas'))
      .filter((name) => !(name in objectAt(objectAt(now, 'components'), 'schemas')))
      // Types of the SDK carry these names.
      .map((name) => change('risky', 'schema-removed-or-renamed', name)),
  ];
}

/** Breaking changes that nobody accepted, and acceptances of what did not change. */
export function judgeChanges(changes: readonly Change[], accepted: readonly AcceptedChange[]) {
  const breaking = changes.filter(({ level }) => level === 'breaking');
  const names = (one: AcceptedChange, { rule, at }: Change) => one.rule === rule && one.at === at;
  return {
    unaccepted: breaking.filter((found) => !accepted.some((one) => names(one, found))),
    spare: accepted.filter((one) => !breaking.some((found) => names(one, found))),
  };
}

interface Documents {
  readonly old: JsonObject;
  readonly now: JsonObject;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

function compareSection(documents: Documents, section: 'paths' | 'webhooks'): Change[] {
  const [before, after] = [objectAt(documents.old, section), objectAt(documents.now, section)];
  const addresses = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return addresses.flatMap((path) =>
    methods.flatMap((method) => {
      const [old, now] = [objectAt(before, path)[method], objectAt(after, path)[method]];
      const at = `${method} ${path}`;
      if (isObject(old) && isObject(now))
        return compareOperations(documents, { old, now, at, isWebhook: section === 'webhooks' });
      if (isObject(old)) return [change('breaking', 'operation-removed', at)];
      return isObject(now) ? [change('safe', 'operation-added', at)] : [];
    }),
  );
}

interface Operations {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly at: string;
  readonly isWebhook: boolean;
}

function compareOperations(documents: Documents, operations: Operations): Change[] {
  const { old, now, at, isWebhook } = operations;
  const ids = [old['operationId'], now['operationId']].map(String);
  const locks = [securityOf(documents.old, old), securityOf(documents.now, now)];
  return [
    ...(ids[0] === ids[1]
      ? []
      : [change('breaking', 'operation-id-changed', at, ids.join(' -> '))]),
    ...(isWebhook || locks[0] === locks[1]
      ? []
      : [change('breaking', 'security-changed', at, locks.join(' -> '))]),
    ...compareParameters(documents, operations),
    ...compareContent(documents, {
      old: objectAt(old, 'requestBody'),
      now: objectAt(now, 'requestBody'),
      at: `${at} body`,
      writer: isWebhook ? 'service' : 'client',
    }),
    ...compareResponses(documents, operations),
  ];
}

function securityOf(document: JsonObject, operation: JsonObject): string {
  return JSON.stringify(operation['security'] ?? document['security'] ?? []);
}

function compareParameters(documents: Documents, operations: Operations): Change[] {
  const { at, isWebhook } = operations;
  const [before, after] = [parametersOf(operations.old), parametersOf(operations.now)];
  const kept = [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    const where = `${at} ${name}`;
    if (!now) return [change('breaking', 'parameter-removed', where)];
    const stricter = !isWebhook && old['required'] !== true && now['required'] === true;
    return [
      ...(stricter ? [change('breaking', 'parameter-became-required', where)] : []),
      ...compareSchemas(
        { document: documents.old, schema: old['schema'] },
        { document: documents.now, schema: now['schema'] },
        { at: where, writer: isWebhook ? 'service' : 'client' },
      ),
    ];
  });
  const fresh = [...after].filter(([name]) => !before.has(name));
  return [
    ...kept,
    ...fresh.map(([name, { required }]) => {
      const breaks = !isWebhook && required === true;
      return change(breaks ? 'breaking' : 'safe', 'parameter-added', `${at} ${name}`);
    }),
  ];
}

function parametersOf(operation: JsonObject): Map<string, JsonObject> {
  return new Map(
    listAt(operation, 'parameters')
      .filter(isObject)
      .map((parameter) => [`${textOf(parameter['in'])}:${textOf(parameter['name'])}`, parameter]),
  );
}

function compareResponses(documents: Documents, { old, now, at, isWebhook }: Operations): Change[] {
  const [before, after] = [objectAt(old, 'responses'), objectAt(now, 'responses')];
  const statuses = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return statuses.flatMap((status) => {
    const [from, to] = [before[status], after[status]];
    const where = `${at} ${status}`;
    // Clients branch on the code of an error, so an error status may come and go.
    const level = Number(status) >= 400 ? 'risky' : 'breaking';
    if (!isObject(to)) return [change(level, 'response-removed', where)];
    if (!isObject(from)) return [change(level, 'response-added', where)];
    const writer: Writer = isWebhook ? 'client' : 'service';
    return [
      ...compareContent(documents, { old: from, now: to, at: where, writer }),
      ...Object.keys(objectAt(from, 'headers'))
        .filter((name) => !(name in objectAt(to, 'headers')))
        .map((name) => change('breaking', 'header-removed', `${where} ${name}`)),
    ];
  });
}

function compareContent(
  documents: Documents,
  bodies: { old: JsonObject; now: JsonObject; at: string; writer: Writer },
): Change[] {
  const [before, after] = [objectAt(bodies.old, 'content'), objectAt(bodies.now, 'content')];
  return Object.keys(before).flatMap((type) => {
    const to = after[type];
    if (!isObject(to)) return [change('breaking', 'media-type-removed', `${bodies.at} ${type}`)];
    return compareSchemas(
      { document: documents.old, schema: objectAt(before, type)['schema'] },
      { document: documents.now, schema: to['schema'] },
      { at: bodies.at, writer: bodies.writer },
    );
  });
}
