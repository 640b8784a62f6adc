// Leads in the shapes of the tools that post them.
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { extractLead } from '../../domain/leads/extract-lead.ts';
import { parseFreeBody } from '../../server/http/parse-free-body.ts';
import cases from './data/lead-payloads.json' with { type: 'json' };

const phone = { kind: 'found', e164: '+12125550123' };
const other = '+13105550100';

describe('bodies of known tools', () => {
  it.each(cases)('$id', async ({ body, content_type, expect: expected }) => {
    const lead = extractLead(await parseFreeBody(Buffer.from(body), content_type, 'invalid_body'));
    const e164 = lead.phone.kind === 'found' ? lead.phone.e164 : null;
    expect(e164).toBe(expected.phone);
    if (e164) expect(lead.firstName).toBe(expected.first_name);
  });

  it.each<[string, object]>([
    ['a list with one lead', [{ phone: '2125550123', name: 'Ann Lee' }]],
    [
      'a relay that nests the request',
      { headers: { phone: other }, body: { phone: '2125550123', name: 'Ann' } },
    ],
    [
      'properties with versions',
      {
        properties: {
          firstname: { value: 'Ann', versions: [{ value: 'Bo' }] },
          mobilephone: { value: '2125550123', versions: [{ value: other }] },
        },
      },
    ],
    [
      'a contact beside the phones of the sender',
      {
        phone: '+12125550123',
        first_name: 'Ann',
        location: { phone: other, name: 'Agency' },
        user: { phone: other, firstName: 'Bo' },
      },
    ],
    [
      'a form as JSON text',
      {
        rawRequest:
          '{"q3_name":{"first":"Ann","last":"Lee"},"q4_phoneNumber":{"full":"(212) 555-0123"}}',
      },
    ],
    [
      'a number in parts',
      {
        q3_name: { first: 'Ann', last: 'Lee' },
        q4_phoneNumber: { area: '212', phone: '555-0123' },
      },
    ],
    [
      'lists of values',
      { namedValues: { 'Full Name': ['Ann Lee'], 'Phone Number': ['212-555-0123'] } },
    ],
    [
      'fields with a type',
      { Name: { first: 'Ann' }, Phone: { value: '2125550123', field_type: 'phone' } },
    ],
    ['numbered names', { firstname: 'Ann', phone1: '2125550123', phone2: other }],
    [
      'answers to questions',
      {
        questions_and_answers: [
          { question: 'What is your name?', answer: 'Ann Lee' },
          { question: 'Best number to reach you?', answer: '212 555 0123' },
        ],
      },
    ],
    [
      'flattened pairs',
      {
        'f[0][name]': 'full_name',
        'f[0][values][0]': 'Ann Lee',
        'f[1][name]': 'phone',
        'f[1][values][0]': '2125550123',
      },
    ],
    ['a person with a value', { name: 'Ann Lee', value: '$500', phone: '2125550123' }],
  ])('%s', (_what, body) => {
    expect(extractLead(body)).toMatchObject({ phone, firstName: 'Ann' });
  });
});

describe('which phone', () => {
  it.each<[string, object]>([
    ['a better name', { mobile: other, phone: '2125550123' }],
    ['a shallower place', { deep: { phone: other }, phone: '2125550123' }],
    ['the first in order', { a: { phone: '2125550123' }, b: { phone: other } }],
    ['the first that can be read', { phone: 'call me', cell: '2125550123' }],
    [
      'the lead, not the company',
      { company_phone: other, 'Work Phone': other, cell: '2125550123' },
    ],
    [
      'a number, not what is told about it',
      { phone_type: 'cell', phone_verified: true, tel: '2125550123' },
    ],
    [
      'the type of a field, whatever it is called',
      { fields: [{ label: 'Call', type: 'tel', value: '2125550123' }] },
    ],
    ['the one value that looks like a US number', { '3': '(212) 555-0123', '4': 'Ann' }],
  ])('%s', (_why, body) => {
    expect(extractLead(body).phone).toEqual(phone);
  });

  it.each<[string, object]>([
    ['numbers of others', { company_phone: other, fax: other, agent: { phone: other } }],
    ['two values that look like numbers', { '3': '(212) 555-0123', '4': '(310) 555-0100' }],
    ['an id that happens to be ten digits', { id: 2125550123, order: '2125550123' }],
    ['null', { phone: null }],
  ])('missing: %s', (_why, body) => {
    expect(extractLead(body).phone.kind).toBe('missing');
  });

  it.each<[string, object]>([
    ['words', { phone: 'hello' }],
    ['nothing typed', { phone: '' }],
    ['a British number in parts', { phone: { number: '2071838750', country: 'GB' } }],
  ])('unreadable: %s', (_why, body) => {
    expect(extractLead(body).phone.kind).toBe('unreadable');
  });
});

describe('what else', () => {
  it.each<[string, object, string | null]>([
    ['an honorific is no name', { phone: '2125550123', name: 'Mrs. Ann Lee' }, 'Ann'],
    ['the name of a form is no name', { name: 'Contact us', data: { phone: '2125550123' } }, null],
    ['an address is no name', { phone: '2125550123', name: 'ann@example.com' }, null],
    [
      'the object of the phone goes first',
      { name: 'Bo', lead: { name: 'Ann Lee', phone: '2125550123' } },
      'Ann',
    ],
  ])('%s', (_why, body, name) => {
    expect(extractLead(body).firstName).toBe(name);
  });

  it('keeps context that can be stored and spoken', () => {
    const lead = extractLead({
      phone: '2125550123',
      message: ` call\u0000me \ud800${'x'.repeat(3_000)}`,
    });
    expect(lead.customContext).toMatch(/^call me +x+$/);
    expect(lead.customContext).toHaveLength(2_000);
  });

  it.each([{ is_test: true }, { isTest: 'true' }, { data: { is_test: 1 } }])(
    'sees that %j marks itself as a test',
    (mark) => {
      expect(extractLead({ phone: '2125550123', ...mark }).marksItselfTest).toBe(true);
      expect(extractLead({ phone: '2125550123', is_test: false }).marksItselfTest).toBe(false);
    },
  );
});

test('any body is read, and what is found can be stored', () => {
  const keys = fc.oneof(
    fc.constantFrom(
      'phone',
      'name',
      'values',
      'value',
      'type',
      'field',
      'definition',
      '__proto__',
      'a[b][c]',
      'a.b',
      'a__b',
    ),
    fc.string(),
  );
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof({ maxDepth: 9 }, fc.dictionary(keys, tie('value')), fc.array(tie('value'))),
    value: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.json(), tie('body')),
  }));
  fc.assert(
    fc.property(body, (posted) => {
      const { firstName, customContext } = extractLead(posted as object);
      for (const text of [firstName, customContext]) {
        expect(text?.isWellFormed()).not.toBe(false);
        expect(text ?? '').not.toContain('\u0000');
      }
    }),
    { numRuns: 500 },
  );
});

test('a lead is found behind any seven levels of nesting, and nothing is polluted', () => {
  const path = fc.array(fc.constantFrom('data', 'body', 'contact', '__proto__'), { maxLength: 6 });
  fc.assert(
    fc.property(path, (steps) => {
      const nested = steps.reduceRight(
        (inner, step) => `{${JSON.stringify(step)}:${inner}}`,
        '{"phone":2125550123}',
      );
      expect(extractLead(JSON.parse(nested) as object).phone).toEqual(phone);
      expect('phone' in {}).toBe(false);
    }),
  );
});
