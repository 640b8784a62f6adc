// `svc dnc import <file.csv>`: takes every line that can be read, and names the others.
import { readFile } from 'node:fs/promises';
import { importNumbers } from '../../domain/do-not-contact/import-numbers.ts';
import { print, readMember, refuse, type DncCommand } from './dnc-command.ts';

export const importCommand: DncCommand = async (ctx, options) => {
  const by = await readMember(ctx, options);
  if (!by) return 1;
  const text = await readFile(options.what ?? '', 'utf8').catch(() => null);
  if (text === null) return refuse('The file cannot be read.');
  const file = { by, text, reason: options.reason ?? null };
  const answer = await importNumbers(ctx, options.workspaceId, file);
  print(`${answer.added} added, ${answer.listedBefore} listed before.`);
  if (answer.unreadableLines.length === 0) return 0;
  return refuse(`No phone number on line ${answer.unreadableLines.join(', ')}.`);
};
