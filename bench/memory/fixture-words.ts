/** An attribute of a feed: how its value is told, distilled and asked, and the values that it takes. */
export interface Attribute {
  readonly name: string;
  readonly kind: 'decision' | 'bug' | 'constraint';
  readonly values: readonly string[];
  /** `F` is the feed, `V` the value. */
  readonly told: readonly string[];
  readonly fact: string;
  readonly asked: readonly string[];
}

/** What a fixture speaks of. */
export interface Vocabulary {
  readonly name: string;
  readonly feeds: readonly string[];
  /** Feeds that nobody ever spoke of. */
  readonly unheard: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly consumers: readonly string[];
  /** How a member of the set is told, distilled and asked for; `V` is the consumer. */
  readonly consumes: { readonly told: string; readonly fact: string; readonly asked: string };
  /** What sessions are full of besides facts. */
  readonly chatter: readonly string[];
  readonly opening: string;
  /** Questions about what was never told, with `F`; and some that are about something else. */
  readonly neverTold: readonly string[];
  readonly offSubject: readonly string[];
}

const FEEDS = [
  ...['orders_v2', 'payments_raw', 'web_clicks', 'stock_levels', 'price_list', 'crm_contacts', 'ad_spend', 'refund_ledger'],
  ...[
    'store_visits',
    'supplier_invoices',
    'loyalty_points',
    'device_logs',
    'shipment_events',
    'tax_rates',
    'chat_transcripts',
    'sensor_feed',
  ],
  ...['job_postings', 'fx_quotes', 'email_opens', 'returns_scan', 'basket_lines', 'driver_shifts', 'fuel_cards', 'survey_answers'],
  ...['churn_scores', 'gift_cards', 'warranty_claims', 'promo_codes', 'route_plans', 'meter_reads', 'ticket_sales', 'lab_results'],
] as const;

const UNHEARD_FEEDS = [
  'parking_permits',
  'podcast_plays',
  'vault_audit',
  'turbine_stats',
  'dental_bookings',
  'museum_visits',
  'kite_rentals',
  'opera_seats',
] as const;

const ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'retry_policy',
    kind: 'decision',
    values: [
      'three tries with exponential backoff',
      'one attempt and then an alert',
      'five tries a minute apart',
      'no automatic repeat at all',
    ],
    told: ['For F we settled on V when a load fails.', 'After a failed load of F the agreed behaviour is V.'],
    fact: 'F: when a load fails the retry policy is V.',
    asked: ['What is the retry policy of F?', 'How should a failed load of F be retried?'],
  },
  {
    name: 'landing_time',
    kind: 'constraint',
    values: ['02:15 UTC', '04:40 UTC', '06:05 UTC', '23:30 UTC'],
    told: ['The file of F lands at V on working days.', 'F arrives around V, the vendor told me.'],
    fact: 'F lands at V on working days.',
    asked: ['When does F land?', 'At what time does the file of F arrive?'],
  },
  {
    name: 'owner',
    kind: 'decision',
    values: ['the Delft platform group', 'Marta from finance', 'the growth squad', 'Jonas in logistics'],
    told: ['V took over ownership of F.', 'Questions about F go to V from now on.'],
    fact: 'V owns F.',
    asked: ['Who owns F?', 'Which people own F and answer questions about it?'],
  },
  {
    name: 'dedupe_key',
    kind: 'decision',
    values: ['the pair of customer and minute', 'the upstream sequence', 'a hash of all columns', 'the invoice number'],
    told: ['We deduplicate F on V.', 'Duplicates in F are removed by V.'],
    fact: 'Duplicates in F are removed on V.',
    asked: ['How are duplicates in F removed?', 'On what is F deduplicated?'],
  },
  {
    name: 'retention',
    kind: 'constraint',
    values: ['90 days', 'seven years', '18 months', 'two quarters'],
    told: ['Legal wants F kept for V.', 'The retention of F is V, says the audit.'],
    fact: 'The retention of F is V.',
    asked: ['What is the retention of F?', 'How long is F kept under its retention rule?'],
  },
  {
    name: 'outage_cause',
    kind: 'bug',
    values: ['an expired certificate', 'a full scratch disk', 'a renamed column upstream', 'a clock that ran ahead'],
    told: ['The outage of F was caused by V.', 'It was V that broke F.'],
    fact: 'The outage of F was caused by V.',
    asked: ['What caused the outage of F?', 'Why did F break in its outage?'],
  },
  {
    name: 'memory_size',
    kind: 'constraint',
    values: ['8 GB', '16 GB', '32 GB', '64 GB'],
    told: ['Backfills of F need workers with V of memory.', 'Anything below V of memory kills a backfill of F.'],
    fact: 'A backfill of F needs V of memory.',
    asked: ['How much memory does a backfill of F need?', 'What worker memory should I give a backfill of F?'],
  },
  {
    name: 'encoding',
    kind: 'constraint',
    values: ['UTF-8 with a byte order mark', 'Windows-1252', 'ISO-8859-2', 'plain ASCII'],
    told: ['The exports of F are encoded in V.', 'F comes in V, whatever the header says.'],
    fact: 'The exports of F are encoded in V.',
    asked: ['How are the exports of F encoded?', 'Which encoding do the exports of F use?'],
  },
];

const CONSUMERS = [
  'the churn model',
  'the CFO dashboard',
  'the pricing service',
  'the fraud rules',
  'the warehouse robots',
  'the partner portal',
] as const;

/** What sessions are full of besides facts; `F` is a feed. */
const CHATTER = [
  'Looked at F again, the row counts match the day before.',
  'Ran the profile of F, nothing unusual in the null rates.',
  'Should we rename the staging model of F some day?',
  'The query on F took a while because the cluster was busy.',
  'I will read the manifest of F before going on.',
  'Checked the log of F: all tasks green.',
  'Let us compare F with the numbers of last week.',
  'The test suite for F passes on the branch.',
  'F is fine today, moving on to the next table.',
  'Somebody asked for a sample of F, I sent ten rows.',
  'Retry counters, owners and landing times are all in the wiki, by the way.',
  'The backfill finished; memory stayed flat the whole time.',
  'Encoding problems are the worst, but there were none today.',
  'There was a short outage of the coffee machine.',
] as const;

/** Questions about what was never told; `F` is a feed that was spoken of. */
const NEVER_TOLD = [
  'What penalty does the contract of F foresee?',
  'Which mascot did the team of F choose?',
  'How many GPUs trained the recommender beside F?',
  'What is the postal address of the vendor behind F?',
] as const;

const OFF_SUBJECT = [
  'How do I bake sourdough bread without yeast?',
  'Which telescope suits a beginner?',
  'What is the capital of Mongolia?',
  'Can I repot an orchid in winter?',
  'Who composed the Goldberg variations?',
  'How steep is the north face of the Eiger?',
] as const;

/** Feeds of a warehouse, by identifiers, asked for in questions. */
export const WAREHOUSE: Vocabulary = {
  name: 'keyed fixture',
  feeds: FEEDS,
  unheard: UNHEARD_FEEDS,
  attributes: ATTRIBUTES,
  consumers: CONSUMERS,
  consumes: { told: 'By the way, V reads F as well.', fact: 'V reads F.', asked: 'What reads F?' },
  chatter: CHATTER,
  opening: 'Can you look at F and tell me how it stands?',
  neverTold: NEVER_TOLD,
  offSubject: OFF_SUBJECT,
};
