/** Abbreviations and symbols, and the words the rules know for them. Applied in this order. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\b(there|that|it|he|she|what|who|how|here)'s\b(?! (?:age|share|price|bag)\b)/g, '$1 is'],
  [/\b(we|they|you)'re\b/g, '$1 are'],
  [/\bi'm\b/g, 'i am'],
  [/\b(i|we|you|they)'(?:ve)\b/g, '$1 have'],
  [/\b(i|we|you|he|she|they|it)'ll\b/g, '$1 will'],
  [/\bkm ?\/ ?h\b|\bkmh\b|\bkph\b/g, 'km per hour'],
  [/\bm ?\/ ?s\b/g, 'meters per second'],
  [/(?<=#\d+ )mph\b/g, 'miles per hour'],
  [/\bkilomet(?:er|re)s?\b|\bkms\b/g, 'km'],
  [/\bcentimet(?:er|re)s?\b/g, 'cm'],
  [/\bmetre(s?)\b/g, 'meter$1'],
  [/(?<=#\d+ )m\b(?!\/)/g, 'meters'],
  [/\blitre(s?)\b/g, 'liter$1'],
  [/(?<=#\d+ )l\b/g, 'liters'],
  [/\bhrs?\b/g, 'hours'],
  [/\bmins\b/g, 'minutes'],
  [/\bsecs\b/g, 'seconds'],
  [/\ba (?=#\d+ (?:dollar|euro) (?:bill|note)\b)/g, 'a '],
  [
    /\b(?:came|comes|come|amounts?|amounted|adds up|added up) to (?:exactly )?(?=#\d+ dollars?\b)/g,
    'costs ',
  ],
  [/^(?:last|this|next) (?:week|month|year|night),? /g, ''],
  // makes 15 an hour
  [
    /\b(makes?|made|earns?|earned|gets?|is paid|are paid|charges?|saves?) (#\d+)(?= (?:an?|per|each|every) (?:hour|day|week|month)\b)/g,
    '$1 $2 dollars',
  ],
  [/\b(?:is|was|gets|got) paid(?= #)/g, 'earns'],
  [/\b(?:hands?|handed) over(?= #)/g, 'pays with'],
  [
    /\b(?:gives?|gave|hands?|handed) the (?:cashier|clerk|seller|shopkeeper)(?= #| an? #)/g,
    'pays with',
  ],
  [/\bwhat change(?= (?:does|did|do|will|should|would) )/g, 'how much change'],
  [
    /(?:\bof which )?(#\d+)(?: dollars?)? (?:is|was|are|were|gets|got|goes|went) (?:taken off|taken out|deducted|withheld|held back|taken)(?: from (?:it|this|that|his pay|her pay))? (?:for|in|as) (?:income )?tax(?:es)?\b/g,
    'paid $1 dollars',
  ],
  [
    /\b(?:how much|what)(?: money)? (?:does|did|do|will) ([a-z]+) (?:take home|bring home|get to keep|keep)(?: after tax(?:es)?)?/g,
    'how much money does $1 have left',
  ],
  [
    /\bhow much (change|money) (?:should|would|will|can|do|does|did) ([a-z]+) (?:get|receive|expect|be given)(?: back)?(?= *\??$)/g,
    'how much $1 does $2 get',
  ],
  [
    /\b(how many (?:full )?[a-z]+|how much (?:[a-z]+ )?)(?: do| does| must| should| will) ([a-z]+) (?:(?:have|need) to|must)? ?(?:buy|get|order|open|use|fill|hire|book|rent|make|purchase)\b/g,
    '$1 does $2 need',
  ],
  [/\b(how many) full (?=[a-z]+ does)/g, '$1 '],
  [
    /\b(an?|the) (?:new|fresh|regular|standard|normal|little|big|large|small) (?=#\d+|[a-z]+ (?:tank|pool|bath|bucket))/g,
    '$1 ',
  ],
]

/** Expands the abbreviations of a word problem and unifies its units. */
export const normal = (text: string): string =>
  SPELLINGS.reduce((rest, [form, words]) => rest.replace(form, words), text)
