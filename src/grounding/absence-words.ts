const THINGS =
  'failures?|failed|errors?|exceptions?|retries|retry|duplicates?|copies|gaps?|warnings?|rows?|records?|runs?|tasks?|orders?|values?|nulls?|changes?|anomal(?:y|ies)|outliers?|entries|events?|files?|lines?|issues?|problems?|conflicts?|jobs?|alerts?|tests?|missing';
const TROUBLE =
  'failures?|errors?|exceptions?|retries|retry|duplicates?|gaps?|warnings?|nulls?|outliers?|issues?|problems?|conflicts?|incidents?';
const GERMAN =
  'fehler\\w*|duplikate?|dubletten?|ausfälle?|wiederholung(?:en)?|warnung(?:en)?|lücken?|zeilen?|l(?:ä|a)ufe?|tasks?|aufgaben?|kopien?|tests?|auffälligkeit(?:en)?';
const ADJECTIVES = "(?:[\\p{L}_`'-]+\\s+){0,2}?";
/** "No doubt", "no more than 4": nothing is said to be absent. */
const TURNS = '(?!matter|doubt|need|idea|reason|room|point|way|(?:more|less|fewer|later|longer|earlier|higher|lower)\\s+than)';

/** Ways to say that something is not there, or that everything went well. */
const ABSENT: readonly RegExp[] = [
  `\\b(?:no|zero|not (?:a single|any))\\s+${TURNS}(?:other\\s+|further\\s+|new\\s+|more\\s+|such\\s+|single\\s+)?${ADJECTIVES}(?:${THINGS})\\b`,
  '\\bnone\\s+(?:of\\b|failed|was|were|is|are)',
  '\\bnothing\\s+(?:odd|failed|else|changed|is missing|was missing|unusual)',
  '\\bnever\\s+(?:failed|ran|arrived|retried|loaded)',
  '\\b(?:is|are|was|were)\\s+(?:free of|without)\\s+[\\p{L}]+|\\bno longer\\s+(?:exists?|present)',
  "\\b(?:did|does|do)(?:\\s+not|n't)\\s+(?:fail|contain|appear|occur|exist|find any|see any)\\b|\\b(?:wasn|weren|isn|aren)'t\\s+any\\b",
  '\\b(?:no (?:evidence|signs?|traces?) of|found no|finds? no|sees? no)\\s+[\\p{L}]+',
  `(?<![\\d.,:=/-])0\\s+${ADJECTIVES}(?:${TROUBLE})\\b`,
  `\\bwithout\\s+(?:any\\s+|an?\\s+(?:single\\s+)?)?(?:[\\p{L}]+\\s+)?(?:${TROUBLE})\\b`,
  `\\b(?:${TROUBLE}|copies)\\s+(?:was|were|is|are)(?:\\s+not|n't)\\s+(?:found|seen|present|logged)`,
  `\\b(?:all|every)\\s+(?:the\\s+|of\\s+(?:the|its)\\s+)?(?:\\d+\\s+)?${ADJECTIVES}(?:tests?|tasks?|runs?|checks?|models?|jobs?|files?|attempts?|instances?|nodes?)\\s+(?:have\\s+|has\\s+|were\\s+|was\\s+|are\\s+|is\\s+)?(?:passed|succeeded|successful|(?:ended|finished)\\s+(?:as\\s+|with\\s+)?success\\w*)`,
  '\\bneither\\s+(?:of\\s+(?:the|them|these)\\s+)?[\\p{L}]+\\s+(?:failed|was|were|is|are|has|had|ran)\\b',
  '\\b(?:no\\s?one|nobody)\\s+(?:else\\s+)?(?:held|used|ran|wrote|changed|waited)\\b',
  `\\bkein(?:e[rnms]?)?\\s+(?:einzige[rnms]?\\s+)?(?:[\\p{L}]+\\s+)?(?:${GERMAN})\\b|\\bnichts\\s+(?:ist\\s+)?(?:fehlgeschlagen|auffällig\\w*|fehlt)|\\bohne\\s+(?:${GERMAN})\\b`,
].map((pattern) => new RegExp(pattern, 'iu'));

const UNSURE =
  /\b(?:unknown|could not|cannot|can't|not checked|not looked|whether|may|might|if|no source|unclear|so far as|as far as|in what was (?:read|returned|shown)|among the (?:\w+ )?(?:shown|returned)|says? nothing|not known|make sure|ensure|so that|unbekannt|unklar|falls)\b/i;

/** True for a sentence that says that something is not there; one that says it is not known, or asks for it, does not. */
export function saysAbsent(sentence: string): boolean {
  const bare = sentence.replace(/"[^"]*"|“[^”]*”/g, ' ');
  return ABSENT.some((pattern) => pattern.test(bare)) && !UNSURE.test(sentence);
}
