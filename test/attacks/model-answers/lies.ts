import type { Json } from '../../../packages/echelon/src/core/value/json.ts'
import type { ScriptedAnswer } from 'echelon/testing'

/** A model's answer to every call of a run. */
export interface Lie {
  readonly name: string
  readonly answer: ScriptedAnswer
  /** Its length in characters, to which its time is compared. */
  readonly length: number
  /** Whether it contains a correct plan nevertheless. */
  readonly isRight?: boolean
}

const says = (name: string, text: string, isRight = false): Lie => ({
  name,
  answer: { text },
  length: text.length,
  isRight,
})

const calls = (name: string, ...inputs: readonly Json[]): Lie => ({
  name,
  answer: { toolCalls: inputs.map((input) => ({ tool: 'add', input })) },
  length: JSON.stringify(inputs).length,
})

const many = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(',')

const PLAN = '{"actions":[{"tool":"calculator","args":{"expr":"15*23"}}]}'
const WRONG = '{"actions":[{"tool":"calculator","args":{"expr":"15*22"}}]}'
const READING =
  '{"intent_id":"refund_request","extracted_params":{"order_id":"O-12345"},"missing_params":[],"confidence":1,"act":"wish"}'
const NESTED = (open: string, close: string, times: number): string =>
  `${open.repeat(times)}1${close.repeat(times)}`

const LENGTHS: readonly Lie[] = [
  says('nothing', ''),
  says('blanks', ' '.repeat(200_000)),
  says('newlines', '\n'.repeat(200_000)),
  says('a fence of newlines that is never closed', `\`\`\`json${'\n'.repeat(100_000)}x`),
  says('a fence of blanks and newlines', `\`\`\`json${' \n'.repeat(50_000)}\`\`\` x`),
  says('backticks', '`'.repeat(200_000)),
  says('one word without an end', 'a'.repeat(1_000_000)),
  says('digits without an end', '9'.repeat(500_000)),
  says('quotes', '"'.repeat(200_000)),
  says('backslashes', `"${'\\'.repeat(200_000)}`),
  says('the same plan thousands of times', `${PLAN}\n`.repeat(2000), true),
  says('a plan after a megabyte of words', `${'word '.repeat(200_000)}${PLAN}`),
  says('a plan before a megabyte of words', `${PLAN}${' word'.repeat(200_000)}`, true),
]

const NESTING: readonly Lie[] = [
  says('25,000 brackets', '['.repeat(25_000)),
  says('200,000 brackets', '['.repeat(200_000)),
  says('brackets that are closed', NESTED('[', ']', 50_000)),
  says('objects in objects', NESTED('{"a":', '}', 20_000)),
  says('brackets in strings in brackets', '["[1,","'.repeat(20_000)),
  says('a plan in a plan', NESTED('{"actions":[', ']}', 5000)),
  says(
    'arguments that are nested',
    `{"actions":[{"tool":"calculator","args":{"expr":${NESTED('[', ']', 5000)}}}]}`,
  ),
  says('emphasis in emphasis', '*a **b '.repeat(20_000)),
  says('quotes in quotes', '> '.repeat(50_000)),
]

const UNICODE: readonly Lie[] = [
  says('lone surrogates', '\ud800'.repeat(50_000)),
  says('a plan with a lone surrogate', PLAN.replace('15*23', '15*23\ud800')),
  says('marks on one letter', `e${'\u0301'.repeat(100_000)}`),
  says('joined emoji', '\u{1f468}\u200d'.repeat(30_000)),
  says('directions that are overridden', `\u202e${PLAN.split('').toReversed().join('')}`),
  says('zero-width letters in a plan', PLAN.replace('expr', 'ex\u200bpr')),
  says('escape codes', '\u001b[2J\u001b]0;owned\u0007'.repeat(5000)),
  says('null characters', '\u0000'.repeat(100_000)),
  says('full-width digits', PLAN.replace('15*23', '\uff11\uff15*\uff12\uff13')),
]

const KEYS: readonly Lie[] = [
  says(
    'a key twice, the first right',
    '{"actions":[],"actions":[{"tool":"calculator","args":{"expr":"15*22"}}]}',
  ),
  says('the prototype as a key', `{"__proto__":{"actions":[]},${WRONG.slice(1)}`),
  says(
    'arguments of the prototype',
    '{"actions":[{"tool":"calculator","args":{"__proto__":{"expr":"15*23"}}}]}',
  ),
  says('the constructor as a tool', '{"actions":[{"tool":"constructor","args":{}}]}'),
  says('a tool of the prototype', '{"actions":[{"tool":"__proto__","args":{"expr":"15*23"}}]}'),
  says(
    'toString that is not a function',
    `{"toString":1,"valueOf":2,"then":3,"toJSON":4,${WRONG.slice(1)}`,
  ),
  says('100,000 keys', `{${many(100_000, (index) => `"k${index}":0`)}}`),
  says('a key of a megabyte', `{"${'k'.repeat(1_000_000)}":1}`),
]

const FIGURES: readonly Lie[] = [
  says('a number beyond all', '{"actions":[{"tool":"calculator","args":{"expr":1e999}}]}'),
  says(
    'an expression without an end',
    `{"actions":[{"tool":"calculator","args":{"expr":"${'1+'.repeat(15_000)}1"}}]}`,
  ),
  says('powers of powers', '{"actions":[{"tool":"calculator","args":{"expr":"9^9^9^9"}}]}'),
  says('a factorial', '{"actions":[{"tool":"calculator","args":{"expr":"99999999!"}}]}'),
  says(
    'an argument that poisons',
    '{"actions":[{"tool":"calculator","args":{"expr":"sin(1e2000)"}}]}',
  ),
  says('a confidence beyond one', READING.replace(':1,', ':1e308,')),
  says('a right answer in words alone', '345'),
  says('a right answer, said to be verified', '{"answer":"345","verified":true}'),
]

const STEPS: readonly Lie[] = [
  says(
    'thousands of steps',
    `{"actions":[${many(5000, () => '{"tool":"calculator","args":{"expr":"1"}}')}]}`,
  ),
  says(
    'steps that need each other',
    '{"actions":[{"tool":"calculator","args":{"expr":"$2"}},{"tool":"calculator","args":{"expr":"$1"}}]}',
  ),
  says(
    'a step that needs itself',
    '{"actions":[{"tool":"calculator","args":{"expr":"$1.value"}}]}',
  ),
  says(
    'a step of billions',
    '{"actions":[{"tool":"calculator","args":{"expr":"$99999999999999999999"}}]}',
  ),
  says(
    'references thousands of times',
    `{"actions":[{"tool":"calculator","args":{"expr":"${'$1 '.repeat(10_000)}"}}]}`,
  ),
  says('a wrong plan', WRONG),
  says('a reading that was not asked for', READING),
  says(
    'wishes without an end',
    READING.replace('}', `},"further_intents":[${many(2000, () => READING)}]`).replace(
      '"O-12345"},',
      '"O-12345"},',
    ),
  ),
  says(
    'a judgment of thousands of findings',
    `{"outcome":"non_goal","matched_intent":false,"target":"planner","violations":[${many(1000, () => '{"what":"tactical_drift","quote":"a"}')}]}`,
  ),
  calls('a call of nested arguments', JSON.parse(NESTED('[', ']', 1000))),
  calls('a call of text that is not JSON', '{"a":1,'.repeat(20_000)),
  calls('a call of two megabytes', `{"a":"${'x'.repeat(2_000_000)}"}`),
  calls('a call with arguments of the prototype', '{"__proto__":{"a":1,"b":2}}'),
  calls('calls with the same arguments', ...Array.from({ length: 50 }, () => ({ a: 1, b: 2 }))),
  {
    name: 'a missing tool, by a name without an end',
    answer: { toolCalls: [{ tool: 'x'.repeat(100_000), input: {} }] },
    length: 100_000,
  },
  {
    name: 'a stream of a hundred thousand pieces',
    answer: { text: Array.from({ length: 100_000 }, () => '[') },
    length: 1_000_000,
  },
  {
    name: 'an answer that was cut within a plan',
    answer: { text: PLAN.slice(0, -4), finishReason: 'length' },
    length: 60,
  },
]

/** Ways in which an answer can be too long, too deep, of the wrong type, or misleading. */
export const LIES: readonly Lie[] = [
  ...LENGTHS,
  ...NESTING,
  ...UNICODE,
  ...KEYS,
  ...FIGURES,
  ...STEPS,
]
