import { type Problem, type ProblemCode, PROBLEMS } from '../../core/problem.ts'

/** The longest sentence of a provider that goes into an explanation, in characters. */
const LONGEST = 200

/** What no second request to the same model can mend. */
const FOR_GOOD: ReadonlySet<ProblemCode> = new Set(['auth', 'quota', 'not-found'])

/** Whether the same model would fail alike if it were asked again. */
export const failsForGood = ({ code, retryable }: Problem): boolean =>
  !retryable && FOR_GOOD.has(code)

/** What was wrong, in words of ours: nothing of what a provider said is in it. */
export const problemInWords = (code: ProblemCode): string =>
  code === 'not-found' ? 'there is no such model or server' : PROBLEMS[code]

/** Which model failed, of what, and what its provider said. For people: it may hold a secret. */
export function modelFailure(model: string, problem: Problem): string {
  const said = firstSentence(problem)
  const what = said === '' ? '' : ` (${said})`
  return `${model}: ${problemInWords(problem.code)}${what}`
}

/**
 * The first sentence, whole or not at all: a secret that is cut before it is redacted looks like
 * none. What follows a colon about a key is the key.
 */
function firstSentence({ code, message }: Problem): string {
  const [sentence = ''] = message.trim().split(code === 'auth' ? /[.:!?](?=\s)/ : /[.!?](?=\s)/)
  return sentence.length > LONGEST ? '' : sentence.replace(/\.$/, '')
}
