import type { Answer, Attempt } from '../../verify/answer.ts'

/** An attempt, and the same with odd answers and questions in its place. */
export function* oddAttempts(attempt: Attempt): Generator<Attempt> {
  yield attempt
  for (const text of ODD_TEXTS) {
    yield withText(attempt, text)
    for (const answer of oddAnswers(text)) yield { ...attempt, answer }
    yield { ...attempt, task: { ...attempt.task, question: text } }
  }
}

export const withText = (attempt: Attempt, text: string): Attempt => ({
  ...attempt,
  answer: { type: 'text', text },
})

const oddAnswers = (text: string): readonly Answer[] => [
  { type: 'json', value: { [text]: [text, null, 1e308, -0] } },
  { type: 'calls', calls: [], text },
  { type: 'calls', calls: [{ id: 'odd', tool: text, input: { [text]: text } }] },
  { type: 'calls', calls: [{ id: 'odd', tool: 'odd', input: text }] },
]

/** Texts that a careless reader throws on, or reads for long. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' \n\t',
  '\u0000\u0007\u001b[31mred',
  '\ud800',
  'a\udc00b\u202ec\u2028d',
  '1e999 -1e999 NaN Infinity 1/0',
  '9'.repeat(400),
  `${'1,'.repeat(5_000)}2`,
  '٣ + １２ = ½',
  '9999-99-99 99/99/9999 February 31st, 0000',
  '__proto__ constructor toString',
  '{"__proto__":{"a":1},"a":',
  '{'.repeat(5_000),
  '<<1/0=2>> 3 × = × 3 $& $1',
  'Answer:',
  'answer is '.repeat(5_000),
  ' '.repeat(50_000),
  'word '.repeat(10_000),
  'x'.repeat(100_000),
  '. '.repeat(20_000),
]
