/**
 * Words that mean the same in an answer and in the names of a result's fields; the first of each line stands for all.
 * Everyday words of reports about data, with a few German ones.
 */
const SAME = `
row rows record zeile zeilen datensatz datensätze
lookalike look looks alike lookalikes similar resemble
run laeufe lauf läufe
fail failed failure fehlgeschlagen
error fehler exception
attempt try tries retry retried versuch attempts
wait waited waiting queue queued waits wartezeit gewartet
work worked working busy arbeitszeit gearbeitet arbeitete arbeit
duration took take takes lasted lasts last elapsed runtime long longer dauer dauerte dauert gedauert execution elapse
span whole
sample samples example examples beispiel key keys
median middle typical quantile quantiles
baseline before normally normal usual usually earlier previous previously typically against versus vs instead statt compared üblich vorher sonst expected
max maximum most highest largest biggest latest newest peak longest slowest greatest until höchstens größte
min minimum smallest least lowest earliest oldest shortest fastest from since kleinste
sum total all altogether overall together combined gesamt summe insgesamt
mean average avg durchschnitt
distinct unique different verschiedene
null empty missing blank leer fehlende fehlt lack absent
miss missing gap
copy copies duplicate duplicates duplicated twice dublette doppelt dup kopie
extra additional surplus excess
parallel once concurrently concurrent simultaneously simultaneous
start started starts began begin begins starting beginn
end ended ends finished finish until ending completed
hold held holds holding
slot slots
task tasks aufgabe
file files datei dateien
padded blanks
table tables tabelle tabellen
column columns spalte spalten field fields
day days tag tage date bucket buckets
second seconds sec secs sekunde sekunden
minute minutes mins minuten
hour hours hr hrs stunde stunden
ratio factor times fold faktor
percent percentage pct prozent share rate proportion fraction anteil
index idx
line lines
unparsable parse parsed unparsed unparseable parseable
first earliest
event events
left blieben bleiben bleibt übrig remain remaining remained free leaving
other others else anderen
orphan orphans orphaned refer refers referring dangling
order orders bestellung bestellungen
customer customers kunde kunden
amount amounts betrag beträge
price prices preis
revenue sales umsatz erlös
count counted anzahl
warn warning warnings warnung
load loaded loads loading geladen
insert inserted inserts
delete deleted deletes
update updated updates
skip skipped skips
success succeeded succeed successful successfully passed pass
source sources quelle
version versions
key keys
value values wert werte
pool pools
partition partitions
day daily
byte bytes size
late lateness delay delayed verspätet
schedule scheduled
group groups
exact exactly
kept keep keeps remain
open offen offene offenen
closed geschlossen geschlossene
paid bezahlt bezahlte bezahlten
cancelled canceled storniert stornierte stornierten
invoice invoices rechnung rechnungen
payment payments zahlung zahlungen
product products produkt produkte artikel
user users benutzer nutzer
delivery deliveries lieferung lieferungen
profile profiled profiles profiling profiler
length lengths character characters chars zeichen stellen
`;

const CANONICAL: ReadonlyMap<string, readonly string[]> = readSame();

function readSame(): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const line of SAME.trim().split('\n')) {
    const [head = '', ...others] = line.split(' ');
    for (const word of [head, ...others]) {
      const known = map.get(word) ?? [];
      if (!known.includes(head)) known.push(head);
      map.set(word, known);
    }
  }
  return map;
}

/** Words without a meaning of their own: they agree with nothing. */
const IDLE: ReadonlySet<string> = new Set(
  'a an the of in on at to and or is are was were be been by for with as it its this that these those than then so but not no which who has have had do does did into per each every any some only also still just about roughly approximately around nearly almost data result results items item name value id s der die das und von mit im in auf zu ist sind war waren'.split(
    ' ',
  ),
);

const seen = new Map<string, readonly string[]>();
const MOST_REMEMBERED = 20_000;

/** The meanings of one word, as tokens that compare; none for idle words. Most words have one, a few have two. */
export function meaningsOf(word: string): readonly string[] {
  const known = seen.get(word);
  if (known) return known;
  const meanings = findMeanings(word.toLowerCase());
  if (seen.size < MOST_REMEMBERED) seen.set(word, meanings);
  return meanings;
}

function findMeanings(word: string): readonly string[] {
  if (IDLE.has(word) || word === '') return [];
  const direct = CANONICAL.get(word);
  if (direct) return direct;
  const stem = stemOf(word);
  return CANONICAL.get(stem) ?? canonicalOfGerman(word) ?? [stem];
}

/** "Läufen", "verschiedenen", "Kopien": known by what is left without the ending. */
function canonicalOfGerman(word: string): readonly string[] | undefined {
  if (word.length < 6) return undefined;
  for (const ending of ['n', 'en', 'er', 'es', 'em', 's'])
    if (word.endsWith(ending)) {
      const found = CANONICAL.get(word.slice(0, -ending.length));
      if (found) return found;
    }
  return undefined;
}

function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (/[^sui]s$/.test(word)) return word.slice(0, -1);
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  return word;
}

/** The words of a name: `baseline_waiting_s`, `maxParallel`, `model.shop.orders`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-zäöüß])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !/^\d+$/.test(word))
    .map((word) => word.toLowerCase());
}

const seenNames = new Map<string, readonly string[]>();

/** The meanings of all words of a name, each once. */
export function meaningsOfName(name: string): readonly string[] {
  const known = seenNames.get(name);
  if (known) return known;
  const meanings = [...new Set(wordsOf(name).flatMap(meaningsOf))];
  if (name.length <= 80 && seenNames.size < MOST_REMEMBERED) seenNames.set(name, meanings);
  return meanings;
}

const UNIT_WORDS: ReadonlySet<string> = new Set([
  'second',
  'minute',
  'hour',
  'ms',
  's',
  'h',
  'percent',
  'pct',
  'byte',
  'ns',
  'us',
  'kb',
  'mb',
  'gb',
  'milli',
  'millis',
]);

/** What a field's name says apart from its unit. */
export function meaningsOfField(name: string): readonly string[] {
  const meanings = meaningsOfName(name);
  return meanings.some((word) => UNIT_WORDS.has(word)) ? meanings.filter((word) => !UNIT_WORDS.has(word)) : meanings;
}

/** Words of fields that hold a count of no kind of its own. */
export const GENERIC: ReadonlySet<string> = new Set(['count', 'star', 'row', 'sum', 'n', 'number', 'total', 'cnt', 'num', 'col']);

/** Words of a field's name that set it apart from its neighbours: left unsaid, they speak against a match. */
export const QUALIFIERS: ReadonlySet<string> = new Set([
  'median',
  'baseline',
  'max',
  'min',
  'mean',
  'sum',
  'distinct',
  'null',
  'extra',
  'kept',
  'start',
  'end',
  'first',
  'wait',
  'work',
  'other',
  'left',
  'fail',
  'skip',
]);
