import type { Attribute, Vocabulary } from './fixture-words.ts';

const PARTS = [
  ...['checkout page', 'basket', 'search page', 'mail relay', 'image resizer', 'login form', 'payment gateway', 'product catalogue'],
  ...[
    'review widget',
    'coupon engine',
    'address finder',
    'shipping estimator',
    'wish list',
    'session cache',
    'audit trail',
    'sitemap builder',
  ],
  ...[
    'push notifier',
    'tax calculator',
    'stock ticker',
    'chat window',
    'price crawler',
    'fraud screen',
    'invoice renderer',
    'newsletter queue',
  ],
  ...[
    'load balancer',
    'cookie banner',
    'feature switchboard',
    'thumbnail store',
    'returns desk',
    'banner rotator',
    'store locator',
    'status board',
  ],
] as const;

/** Some share a word with a part that was spoken of. */
const UNHEARD_PARTS = [
  ...['fax gateway', 'loyalty kiosk', 'podcast player', 'weather widget', 'parking meter', 'donation jar', 'seat map', 'gift wrapper'],
] as const;

const ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'timeout',
    kind: 'decision',
    values: ['two seconds', 'nine seconds', 'half a minute', 'a quarter of a second'],
    told: ['Since the stall we give up on the F after V.', 'A call to the F that takes longer than V is cut off now.'],
    fact: 'Calls to the F are cut off by a timeout of V.',
    asked: ['What is the timeout of the F?', 'Add a timeout to the new client of the F.'],
  },
  {
    name: 'on_call',
    kind: 'decision',
    values: ['Priya', 'the Leeds crew', 'Tomasz', 'the night desk'],
    told: ['V is on call for the F from now on.', 'Page V when the F goes down.'],
    fact: 'V is on call for the F.',
    asked: ['Who is on call for the F?', 'Page whoever is on call for the F.'],
  },
  {
    name: 'region',
    kind: 'constraint',
    values: ['Frankfurt', 'Oregon', 'Mumbai', 'Stockholm'],
    told: ['Contracts oblige us to host the F in V.', 'The F has to be hosted in V, says the lawyer.'],
    fact: 'The F has to be hosted in the region V.',
    asked: ['In which region is the F hosted?', 'Set up a second host for the F in the right region.'],
  },
  {
    name: 'rollout',
    kind: 'decision',
    values: ['to one machine first', 'to everyone at night', 'by hand on Mondays', 'behind a flag'],
    told: ['We agreed to roll out the F V.', 'Rolling out the F happens V.'],
    fact: 'The rollout of the F happens V.',
    asked: ['How is the F rolled out?', 'Roll out a fresh build of the F.'],
  },
  {
    name: 'rate_limit',
    kind: 'constraint',
    values: ['40 calls a second', '900 calls a minute', '12 calls a second', '5,000 calls an hour'],
    told: ['Nobody may hit the F with more than V.', 'The vendor limits the F to V.'],
    fact: 'The rate limit of the F is V.',
    asked: ['What is the rate limit of the F?', 'Make the importer respect the rate limit of the F.'],
  },
  {
    name: 'crash_cause',
    kind: 'bug',
    values: ['a leaked file handle', 'an emoji in a name', 'a leap second', 'two workers with one lock'],
    told: ['The crash of the F came from V.', 'Found it: V crashed the F.'],
    fact: 'The crash of the F was caused by V.',
    asked: ['Why did the F crash?', 'Write a test for the crash of the F.'],
  },
  {
    name: 'peak_size',
    kind: 'constraint',
    values: ['three machines', 'seven machines', 'eleven machines', 'twenty machines'],
    told: ['On Fridays the F holds up with V at the peak.', 'The F needs V to get through the peak.'],
    fact: 'The F needs V at the peak.',
    asked: ['How many machines does the F need at the peak?', 'Size the F for the peak of December.'],
  },
  {
    name: 'log_level',
    kind: 'decision',
    values: ['warnings alone', 'every request', 'errors and nothing else', 'a sample of one in fifty'],
    told: ['The F logs V, to keep the bill down.', 'Logging of the F was set to V.'],
    fact: 'The F logs V.',
    asked: ['What does the F log?', 'Reduce the logging of the F.'],
  },
];

/** Parts of a web shop, by plain words, asked for in questions and in tasks. */
export const PLATFORM: Vocabulary = {
  name: 'keyed fixture of a web shop',
  feeds: PARTS,
  unheard: UNHEARD_PARTS,
  attributes: ATTRIBUTES,
  consumers: ['the phone app', 'the partner site', 'the kiosk in Oslo', 'the back office', 'the warehouse scanner', 'the call centre'],
  consumes: { told: 'V depends on the F too, it turns out.', fact: 'V depends on the F.', asked: 'What depends on the F?' },
  chatter: [
    'Opened the F in two browsers, it looks all right.',
    'The build of the F is green again.',
    'Did anybody else see the F flicker just now?',
    'I read the readme of the F before touching anything.',
    'The graphs of the F are flat tonight.',
    'Renamed a variable in the F, nothing else.',
    'Somebody should tidy the folder of the F.',
    'We talked about the colours of the F for an hour.',
    'The F answered every probe this morning.',
    'Moving on from the F to the next ticket.',
    'Timeouts, crashes and rollouts are all on the wiki, they say.',
    'The logs rotated as they should.',
    'Peak season is far away still.',
    'On call was quiet this week.',
  ],
  opening: 'Please have a look at the F and say what you see.',
  neverTold: [
    'What did the licence of the F cost?',
    'Translate the F into Portuguese.',
    'Which designer drew the icon of the F?',
    'Add a dark theme to the F.',
  ],
  offSubject: [
    'How do I prune a cherry tree?',
    'Write a poem about autumn.',
    'Which ferry goes to Stromboli?',
    'Order twelve chairs for the kitchen.',
    'Who painted the ceiling of the Sistine chapel?',
    'Plan a birthday party for a six-year-old.',
  ],
};
