import { describe, expect, it } from 'vitest';
import { mendTyping } from '../../agents/policies/investigator/question/mend-typing.ts';
import { ofTables, readQuestion } from '../../agents/policies/investigator/question/read-question.ts';
import { readPlain } from '../../agents/policies/plain-questions/read-plain.ts';

describe('a day that a question names', () => {
  it.each([
    ['explain the drop in amt on 3/14', ['-03-14']],
    ['too high since 14/3, why?', ['-03-14']],
    ['what happened on 3/14/2026?', ['2026-03-14']],
    ['betrag is off since 14.3., why', ['-03-14']],
    ['seit 01.05.2026 no rows', ['2026-05-01']],
    ['why is 2026/03/14 empty', ['2026-03-14']],
    ['the file of 20260314 is short', ['2026-03-14']],
    ['revenue of 4 March and Mar 7, 2025', ['-03-04', '2025-03-07']],
    ['did we lose clicks on the 14th?', ['-14']],
    ['seit dem 14. März fehlen Zeilen', ['-03-14']],
    ['am 3. Mai und 7. Okt 2025', ['-05-03', '2025-10-07']],
    ['on 29 February', ['-02-29']],
  ])('is read however it is written: %s', (text, days) => {
    expect(readQuestion(text).days).toEqual(days);
  });

  it.each([
    '2/3 of the rows are gone',
    'for 2/3 of the rows amount is empty',
    'it failed on the 2nd try',
    'dbt 1.10.12 fails',
    'since 1.10.12 dbt fails',
    'on 31/31 it fell',
    'since 30 February it fell',
    'the first 10 may be wrong',
    'the file of 2025-02-29',
    'market 12 and decimal 10 of mart 3',
  ])('is none in %s', (text) => {
    expect(readQuestion(text).days).toEqual([]);
  });
});

describe('a question in German', () => {
  it.each([
    ['stunden fehlen seit 11.5.', 'missing', 'down'],
    ['betrag am 12.03. zu hoch', 'wrong', 'up'],
    ['umsatz ist gesunken', 'wrong', 'down'],
    ['buchungen doppelt', 'duplicates', undefined],
    ['der lauf war langsam', 'slow', undefined],
  ] as const)('asks for what its words say: %s', (text, aim, direction) => {
    const question = readQuestion(text);
    expect([...question.aims]).toContain(aim);
    expect(question.direction).toBe(direction);
  });
});

describe('a question in German, French or Spanish', () => {
  it.each([
    ['Warum ist der Umsatz gestern größer als sonst?', 'wrong', 'up'],
    ['warum ist der umsatz GROESSER', 'wrong', 'up'],
    ['der umsatz liegt über dem plan', undefined, 'up'],
    ['wieso doppelte Buchungen?', 'duplicates', undefined],
    ['Umsatz ist doppelt so hoch', 'wrong', 'up'],
    ['warum hat der Lauf so lange gedauert', 'slow', undefined],
    ['Job letzte Nacht fehlgeschlagen', 'failed', undefined],
    ['Pourquoi le chiffre d’affaires est-il trop élevé ?', 'wrong', 'up'],
    ['il manque des commandes', 'missing', 'down'],
    ['pourquoi y a-t-il des doublons', 'duplicates', undefined],
    ['pourquoi le job est lent', 'slow', undefined],
    ['¿Por qué faltan filas?', 'missing', 'down'],
    ['las ventas son demasiado altas', 'wrong', 'up'],
    ['pedidos duplicados', 'duplicates', undefined],
    ['por qué tardó tanto anoche', 'slow', undefined],
  ] as const)('asks for what its words say: %s', (text, aim, direction) => {
    const question = readQuestion(text);
    if (aim) expect([...question.aims]).toContain(aim);
    expect(question.direction).toBe(direction);
  });

  it('speaks of the newest run where it says so, and of why', () => {
    for (const text of ['letzte Nacht', 'heute', 'cette nuit', 'aujourd’hui', 'anoche', 'hoy'])
      expect(readQuestion(`was ${text}`).newest).toBe(true);
    for (const text of ['gestern', 'hier', 'ayer']) expect(readQuestion(`${text} ?`).plain).toContain(' yesterday ');
    for (const text of ['Wieso', 'Pourquoi', '¿Por qué']) expect(readQuestion(`${text} x?`).text).toMatch(/^¿?why x/);
  });

  it('takes the German word for here for no yesterday', () => {
    for (const text of ['Warum fehlen hier Zeilen?', 'die Zahlen hier sind falsch'])
      expect(readQuestion(text).plain).not.toContain(' yesterday ');
    expect(readQuestion('il manque des lignes d’hier').plain).toContain(' yesterday ');
  });

  it('keeps names as they are', () => {
    const question = readQuestion('Warum ist `fehler` leer und doppelte_buchungen und doppelte buchungen nicht?');
    expect(question.text).toBe('why ist `fehler` leer und doppelte_buchungen und duplicated buchungen nicht?');
    expect(question.plain).toContain(' doppelte buchungen nicht ');
    expect(readQuestion('why is the double entry late?').text).toBe('why is the double entry late?');
  });
});

it('has what is odd about a day looked for where it is only to be checked', () => {
  const aims = (text: string) => [...ofTables(readQuestion(text)).aims];
  expect(aims('check temps since 3/14 pls')).toContain('wrong');
  expect(aims('check the orders')).not.toContain('wrong');
});

describe('a word that is typed wrongly', () => {
  it.each([
    ['what happend to orders', 'order'],
    ['nightly is borken', 'failed'],
    ['amount is too hgih', 'wrong'],
    ['rows are missinng', 'missing'],
    ['the join looses rows', 'missing'],
    ['it is slowwer', 'slow'],
  ] as const)('asks for the same: %s', (text, aim) => {
    expect([...readQuestion(text).aims]).toContain(aim);
  });

  it('is the night, with or without its marks', () => {
    expect(['last nights load', 'last nite', 'tonites build'].map((text) => readQuestion(text).newest)).toEqual([true, true, true]);
    expect(readPlain('did last nites load finish?').map(({ kind }) => kind)).toEqual(['run']);
    expect(readPlain('did last nites load finish?')).toEqual(readPlain("did last night's load finish?"));
  });

  it.each(['list the broker table', 'rows by trial', 'the lower house'])('is none where it is another word: %s', (text) => {
    expect(readQuestion(text).aims.has('failed')).toBe(false);
  });

  it.each([
    'claims filed by day',
    'tax filing by day',
    'checks cashed by day',
    'deceased patients by ward',
    'vendors that compete',
    'sums by constructor',
  ])('is left as it is where it is a word of its own: %s', (text) => {
    expect(mendTyping(text)).toBe(text);
  });
});

describe('a question in the words of those who ask', () => {
  it.each([
    ['ad clicks are way down on 14 july', 'wrong', 'down'],
    ['avg basket down', 'wrong', 'down'],
    ['revenue went up in may', 'wrong', 'up'],
    ['is the table up to date', undefined, undefined],
    ['rates do not move since 14 april', 'wrong', undefined],
    ['litres hit a ceiling', 'wrong', undefined],
    ['we are 60% over', 'wrong', 'up'],
    ['why has fares more rows than usual', 'wrong', 'up'],
    ['who overwrote the figures', 'wrong', undefined],
    ['cannot cast amount', 'wrong', undefined],
    ['amount not numeric', 'wrong', undefined],
    ['hole in payments', 'missing', undefined],
    ['many pings have no position. which ones?', 'missing', undefined],
  ] as const)('asks for what its words say: %s', (text, aim, direction) => {
    const question = readQuestion(text);
    if (aim === undefined) expect([...question.aims]).not.toContain('wrong');
    else expect([...question.aims]).toContain(aim);
    expect(question.direction).toBe(direction);
  });
});
