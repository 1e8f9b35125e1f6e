/** A token of the parser: `#0`, `(`, `+`, or a word of arithmetic. */
export type Token = string

const OF = '(?: of| between| from)'

/** Phrases and their tokens, longer ones first. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^(?:have|had) (?=#)/, 'start '],
  [/(?<=\b(?:and|then),? )(?:i|you|we) /g, ''],
  [/\b(?:which|that|you|we|i) then\b/g, 'then'],
  [/\b(?:after that|afterwards|after which|next|finally|lastly)\b/g, 'then'],
  [
    /\bthe (?:result|answer|outcome|total|number|sum|product|difference)(?! of\b| between\b)\b/g,
    'it',
  ],
  [/\b(?:the (?:result|answer) of that|that number|this number|that|this)\b/g, 'it'],
  [/\b(?:is |are |gets |being )?(?:multiplied by|timesed by)|\btimes\b/g, '*'],
  [/\b(?:is |are |gets |being )?divided by\b|\bover\b/g, '/'],
  [/\bplus\b|\b(?:is |are |gets |being )?added to\b/g, '+'],
  [/\bminus\b|\bless(?! than)\b/g, '-'],
  [/\bnegative(?= #)/g, '-'],
  [/\bmodulo\b/g, 'mod'],
  [/\b(?:raised )?to the power(?: of)?\b|\*\*|\braised to\b/g, '^'],
  [/\bsquared\b/g, '^²'],
  [/\bcubed\b/g, '^³'],
  [/\b(?:the )?(?:cube|cubic|third) root of\b|\bcbrt\b/g, 'cuberoot'],
  [/\bthe remainder\b/g, 'remainder'],
  [/\b(?:the )?(?:square root|root|sqrt) of\b|\bsqrt\b|√/g, 'root'],
  [/\b(?:the )?(?:square|second power) of\b/g, 'square'],
  [/\b(?:the )?(?:cube|third power) of\b/g, 'cube'],
  [/\b(?:the )?factorial of\b/g, 'factorialof'],
  [/\b(?:the )?absolute value of\b/g, 'abs'],
  [/\b(?:the )?(?:greatest|highest) common (?:divisor|factor)\b|\b(?:the )?(?:gcd|hcf)\b/g, 'gcd'],
  [/\b(?:the )?(?:least|lowest|smallest) common multiple\b|\b(?:the )?lcm\b/g, 'lcm'],
  [
    new RegExp(`\\b(?:the )?(sum|product|difference|quotient|average|mean|gcd|lcm)${OF}\\b`, 'g'),
    '$1',
  ],
  [/\b(?:the )?total of\b/g, 'sum'],
  [/\b(?:the )?double of\b|\btwo times\b/g, 'double'],
  [/\badding(?: up| together)?\b|\badd(?: up| together)?\b|\bsum up\b/g, 'add'],
  [/\b(?:subtract|subtracting|deduct|deducting)\b/g, 'subtract'],
  [/\b(?:tak(?:e|ing)|knock(?:ing)?) (?:away|off)\b/g, 'takeaway'],
  [/\b(?:taking|knocking|knock)\b/g, 'take'],
  [/\bmultiply(?:ing)?(?: together)?\b/g, 'multiply'],
  [/\bdividing\b/g, 'divide'],
  [/\b(?:doubling|doubled)\b/g, 'double'],
  [/\b(?:tripling|tripled|treble|trebling)\b/g, 'triple'],
  [/\bhalving\b/g, 'halve'],
  [/\b(?:squaring)\b/g, 'square'],
  [/\b(?:cubing)\b/g, 'cube'],
  [/\b(?:increas(?:ing|ed)|raised|raising)\b/g, 'increase'],
  [/\b(?:decrease|lower|cut|reduc(?:ing|ed)|decreas(?:ing|ed)|lower(?:ing|ed))\b/g, 'reduce'],
  [/\b(?:start(?:ing)?|begin(?:ning)?) (?:with|from|at|off with)\b|\bthink of\b/g, 'start'],
  [/\b(?:with one another|with each other|together)\b/g, ''],
  [/(?<=#\d+) dollars?\b/g, ''],
  [/^(#\d+) ?!$/, 'factorialof $1'],
  [/(?<=#\d+) ?!(?= ?[-+*/)^])/g, ' factorial'],
  [/^(?:sum|add) (?=#\d+(?: ?\+ ?#\d+)+$)/, ''],
]

/** The tokens of a bare question. */
export function tokensOf(text: string): readonly Token[] {
  const replaced = PHRASES.reduce((rest, [phrase, token]) => rest.replace(phrase, token), text)
  return replaced.match(/#\d+|[a-z]+|\S/g) ?? []
}
