import { isJsonObject } from '../../core/value/json.ts'
import { answerText } from '../text/answer-text.ts'
import type { Attempt } from '../answer.ts'
import {
  type Judgment,
  type Observed,
  proved,
  refuted,
  scored,
  silent,
  type Verifier,
} from '../verifier.ts'
import { checkName, passed } from './passed.ts'

export interface CommandCheckOptions {
  /** Name of the verifier; default `command`. Letters, digits, `_` and `-`. */
  readonly name?: string
  /** Name of a tool that takes `{ text }` and gives `{ exit }`, such as `commandTool` of `@echelon/tools`. */
  readonly tool: string
  /** Input of the command; default the last fenced block of the answer, else all of it. */
  readonly text?: (attempt: Attempt) => string
  /**
   * Judgment of an answer on which the command exits with 0: a score from 0 to 1, or `proves` if only a right answer
   * can pass. Default .9, since tests rarely try everything.
   */
  readonly passing?: number | 'proves'
}

/**
 * Runs a command of yours on the answer, by a tool that the runtime calls: the unit tests of generated code, a dry run
 * of SQL. Refuted if the command ends with another status than 0. Silent if it could not be run or did not end, and
 * if there is nothing to run it on.
 *
 * Feature: `<name>.passed`, 1 if it exits with 0, 0 if not, ½ if it was not run.
 * @throws EchelonError INVALID_DEFINITION for a name that cannot be used
 */
export function commandCheck({
  name = 'command',
  tool,
  text = lastBlock,
  passing = 0.9,
}: CommandCheckOptions): Verifier {
  checkName(name)
  return {
    name,
    features: [`${name}.passed`],
    verify(attempt, [first]) {
      const input = text(attempt)
      if (input.trim() === '') return silent('there is nothing to run', passed(name, 0.5))
      if (first === undefined) {
        const call = { id: `${name}.run`, tool, input: { text: input } }
        return { verdict: 'ask', effects: [{ type: 'call-tools', calls: [call] }] }
      }
      return judgmentOf(name, exitOf(first), passing)
    },
  }
}

function judgmentOf(name: string, exit: Exit, passing: number | 'proves'): Judgment {
  if (exit === 'not run') return silent('the command could not be run', passed(name, 0.5))
  if (exit !== 0) return refuted(`the command ${howEnded(exit)}`, passed(name, 0))
  const reason = 'the command passes'
  return passing === 'proves'
    ? proved(reason, passed(name, 1))
    : scored(passing, reason, passed(name, 1))
}

const howEnded = (exit: number | null): string =>
  exit === null ? 'was ended by a signal' : `exits with ${exit}`

/** Null if a signal ended it. */
type Exit = number | null | 'not run'

function exitOf(observed: Observed): Exit {
  const [outcome] = observed.type === 'tools-called' ? observed.outcomes : []
  if (outcome?.type !== 'ok' || !isJsonObject(outcome.value)) return 'not run'
  const { exit } = outcome.value
  return typeof exit === 'number' || exit === null ? exit : 'not run'
}

/** The last fenced block of a text; the whole text if it has no fences. */
function lastBlock({ answer }: Attempt): string {
  const text = answerText(answer)
  const lines = text.split('\n')
  const fences = lines.flatMap((line, at) => (/^\s*(?:```|~~~)/.test(line) ? [at] : []))
  // Fences come in pairs; one that is open to the end holds what comes after it.
  const start = fences[fences.length - (fences.length % 2 === 0 ? 2 : 1)]
  if (start === undefined) return text
  const end = fences.length % 2 === 0 ? fences.at(-1) : undefined
  return `${lines.slice(start + 1, end).join('\n')}\n`
}
