/** What German, French and Spanish questions say, by its English: small letters, `ae` for `ä`, no accents. Only words that English does not have. */
const WORDS: readonly (readonly [english: string, others: string])[] = [
  ['why', 'warum, wieso, weshalb, pourquoi, por que'],
  ['duplicated', 'doppelt, doppelte, doppelten, doppelter, doppeltes, doppeltem, en double, doublon, doublons, deux fois'],
  ['duplicated', 'dublette, dubletten, duplikat, duplikate, duplicado, duplicados, duplicada, duplicadas, doble, dobles, dos veces'],
  ['doubled, as', 'doppelt so, deux fois plus'],
  ['is missing', 'fehlt, fehlte, manque, il manque, falta'],
  ['are missing', 'fehlen, fehlten, manquent, faltan'],
  ['missing', 'fehlend, fehlende, fehlenden, manquant, manquante, manquants, manquantes, faltante, faltantes'],
  [
    'too high',
    'zu hoch, zu hohe, zu hohen, zu gross, zu grosse, trop eleve, trop elevee, trop eleves, trop elevees, trop haut, trop haute',
  ],
  ['too high', 'demasiado alto, demasiado alta, demasiado altos, demasiado altas, muy alto, muy alta, muy altos, muy altas'],
  ['too low', 'zu niedrig, zu niedrige, zu klein, zu tief, trop bas, trop basse, trop faible, trop faibles'],
  ['too low', 'demasiado bajo, demasiado baja, demasiado bajos, demasiado bajas, muy bajo, muy baja, muy bajos, muy bajas'],
  ['too many', 'zu viel, zu viele, zu vielen, trop de, demasiados, demasiadas'],
  ['too few', 'zu wenig, zu wenige, trop peu, trop peu de, muy pocos, muy pocas, demasiado pocos, demasiado pocas'],
  ['slow', 'langsam, langsame, langsamen, langsames, lente, lentement, si lent, trop lent, est lent, lento, lenta, lentos, lentas'],
  ['slower', 'langsamer, plus lent, plus lente, plus lents, mas lento, mas lenta, mas lentos, mas lentas'],
  ['so long', 'so lange, si longtemps, tanto tiempo, tarda tanto, tardo tanto'],
  ['longer', 'laenger, plus longtemps, mas tiempo'],
  ['takes', 'dauert, dure, tarda'],
  ['took', 'dauerte, dauerten, gedauert, a dure, tardo'],
  ['late', 'spaet, verspaetet, en retard, con retraso'],
  ['yesterday', 'gestern, hier, ayer'],
  ['today', 'heute, aujourd hui, hoy'],
  ['this morning', 'heute frueh, heute morgen, ce matin, esta manana'],
  ['last night', 'letzte nacht, letzten nacht, vergangene nacht, heute nacht, gestern nacht, cette nuit, nuit derniere, la nuit derniere'],
  ['last night', 'hier soir, anoche, la noche pasada, noche pasada'],
  ['higher', 'hoeher, groesser, superieur, superieure, superieurs, plus grand, plus grande, plus eleve, plus elevee, plus haut'],
  ['higher', 'mas alto, mas alta, mas grande, mas grandes, mayor que, es mayor, son mayores'],
  ['above', 'liegt ueber, liegen ueber, ueber dem, au dessus, por encima'],
  ['lower', 'niedriger, kleiner, inferieur, inferieure, plus petit, plus bas, mas bajo, mas baja, menor que, es menor'],
  ['fewer', 'weniger, moins de, menos'],
  [
    'wrong',
    'falsch, falsche, falschem, falschen, falscher, falsches, est faux, sont faux, fausse, fausses, incorrecto, incorrecta, incorrectos, incorrectas',
  ],
  ['odd', 'komisch, komische, komischen, seltsam, seltsame, seltsamen'],
  ['vanished', 'verschwunden'],
  ['fell', 'gefallen, gesunken'],
  ['risen', 'gestiegen'],
  ['is wrong', 'stimmt nicht, stimmen nicht, esta mal, estan mal'],
  ['failed', 'fehlgeschlagen, abgebrochen, gescheitert, echoue, echouee, a echoue, ont echoue, fallo, fallaron, ha fallado'],
  ['errors', 'fehler, erreur, erreurs, errores'],
  ['empty', 'leere, leeren, vides, est vide, vacio, vacia, vacios, vacias'],
];

const ENGLISH: ReadonlyMap<string, string> = new Map(
  WORDS.flatMap(([english, others]) => others.split(', ').map((other) => [other, english] as const)),
);
const MOST_WORDS = 3;
/** Beside such words `hier` means here, and not yesterday as in French. */
const GERMAN =
  /(?<!\p{L})(der|die|das|dem|den|ist|sind|war|waren|hat|haben|und|nicht|warum|wieso|weshalb|wir|ich|sie|eine?|im|zu|fehl\p{L}*|stimm\p{L}*)(?!\p{L})/iu;

/** The text with what it says in these words in English; all else, and what stands in quotes of code, is left as it is. */
export function inEnglish(text: string): string {
  const parts = text.normalize('NFC').split(/([^\p{L}\p{N}_]+)/u);
  const isGerman = GERMAN.test(text);
  let said = '';
  for (let at = 0; at < parts.length; at++) {
    const stays = at % 2 === 1 || /[`"]$/.test(parts[at - 1] ?? '') || (isGerman && /^hier$/i.test(parts[at] ?? ''));
    const found = stays ? undefined : longestFrom(parts, at);
    said += found?.english ?? parts[at] ?? '';
    at += found ? 2 * (found.words - 1) : 0;
  }
  return said;
}

/** The longest of the phrases that begins with this word. Words stand at even places, what parts them at odd ones. */
function longestFrom(parts: readonly string[], at: number): { readonly english: string; readonly words: number } | undefined {
  for (let words = MOST_WORDS; words > 0; words--) {
    const phrase = parts.slice(at, at + 2 * words - 1);
    const english = ENGLISH.get(
      phrase.map((part, place) => (place % 2 === 1 ? part.replace(/^[ '’-]+$/, ' ') : plainLetters(part))).join(''),
    );
    if (english !== undefined) return { english, words };
  }
  return undefined;
}

function plainLetters(word: string): string {
  const written: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
  return word
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => written[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
