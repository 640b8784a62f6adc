// `svc rate-deck FILE [NUMBER]`: whether a deck would be taken, and what it says of a number.
import { readFile } from 'node:fs/promises';
import { parseRateDeck, RateDeckError } from '../adapters/rate-decks/parse-rate-deck.ts';
import { systemClock } from '../platform/clock.ts';

export async function rateDeckCommand([file, phone]: readonly string[]): Promise<number> {
  if (!file) {
    process.stderr.write('Usage: svc rate-deck <file> [+1 number]\n');
    return 2;
  }
  try {
    const deck = await parseRateDeck(await readFile(file, 'utf8'));
    process.stdout.write(`${deck.size} rows, all good.\n`);
    if (phone) {
      const row = deck.find(phone, systemClock().now());
      const cents = row && row.surchargeMicrosPerMinute / 10_000;
      process.stdout.write(
        row ? `${row.prefix}: ${row.action} ${cents} cents (${row.label})\n` : 'No row.\n',
      );
    }
    return 0;
  } catch (error) {
    if (!(error instanceof RateDeckError) && !isFileError(error)) throw error;
    process.stderr.write(`${file}: ${error.message}\n`);
    return 1;
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
