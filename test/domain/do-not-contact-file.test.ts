// Files of numbers: what is read, which lines are told, and that what is written is read back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, readCsv } from '../../domain/do-not-contact/csv.ts';
import { readImport } from '../../domain/do-not-contact/read-import.ts';

const phonesOf = (text: string) => readImport(text).numbers.map(({ phone }) => phone);

describe('comma-separated values', () => {
  it('are read back as they were written, whatever they hold', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'é', ' x', '"', ',', '\n', '\r\n', ';', '1') })
      .map((text) => text.trim());
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    const rows = fc.array(row, { maxLength: 5 });
    fc.assert(
      fc.property(rows, (written) => {
        const read = readCsv(written.map((cells) => csvLine(cells)).join(''));
        const notBlank = written.filter((cells) => cells.some((text) => text !== ''));
        expect(read.map(({ cells }) => cells)).toEqual(notBlank);
      }),
    );
  });

  it('never hand a spreadsheet a formula', () => {
    expect(csvLine(['=1+1', '+cmd', '@x', '-2', '+12125550101'])).toBe(
      "'=1+1,'+cmd,'@x,'-2,+12125550101\r\n",
    );
  });
});

describe('an import', () => {
  it('takes numbers in any spelling, each once', () => {
    const file = '(212) 555-0101\n+1 212-555-0102\r\ntel:2125550103\n2125550101\n"212.555.0104"';
    expect(phonesOf(file)).toEqual([
      '+12125550101',
      '+12125550102',
      '+12125550103',
      '+12125550104',
    ]);
  });

  it('finds the column by its name, and the reason beside it', () => {
    const file =
      '\uFEFFName,Phone Number,Reason\nDana,212 555 0101,"asked, by mail"\nSam,2125550102,\n';
    expect(readImport(file)).toEqual({
      numbers: [
        { phone: '+12125550101', reason: 'asked, by mail' },
        { phone: '+12125550102', reason: null },
      ],
      unreadableLines: [],
    });
  });

  it('names each line without a number, counting lines as an editor does', () => {
    const file = 'phone,note\n2125550101,"two\nlines"\nunknown,\n\n12345,\n2125550102,';
    expect(readImport(file)).toMatchObject({
      numbers: [{ phone: '+12125550101' }, { phone: '+12125550102' }],
      unreadableLines: [4, 6],
    });
  });

  it('tells a first line that is neither a header nor a number', () => {
    expect(readImport('nobody\n2125550101').unreadableLines).toEqual([1]);
    expect(readImport('').numbers).toEqual([]);
  });
});
