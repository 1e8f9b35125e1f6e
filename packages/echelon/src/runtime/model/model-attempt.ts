import type {
  LanguageModelV4,
  LanguageModelV4GenerateResult,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { Amounts } from '../../core/agent/budget.ts'
import { pause } from '../../core/value/abortable.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import { DEFAULT_MODEL_TIMEOUTS } from '../../core/model/model-timeouts.ts'
import type { Failed, Generated, Refused } from '../../core/agent/observation.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { AnsweredBy } from '../../core/observability/tracing.ts'
import type { Attempting } from './attempting.ts'
import type { Branch } from '../branch.ts'
import { Deadline } from './deadline.ts'
import { mostCharacters, whyUnbelievable } from './believed-usage.ts'
import { answeredAmounts, priceOf, failedAmounts, unknownAmounts } from './model-amounts.ts'
import { CutAnswer, type ModelAnswer, readResult, readStream } from './model-answer.ts'
import { CallOptions } from './call-options.ts'
import { ExactSecrets } from '../../core/redaction/exact-secrets.ts'
import { placeholder } from '../../core/redaction/rule.ts'
import { toProblem } from './provider-problem.ts'
import { Voice } from './voice.ts'
import { type WorstCase, worstCase } from './worst-case.ts'
import { wrapped } from './wrapped-model.ts'

/** Makes one attempt with its own time limit: reserve, journal, call, settle. */
export async function attempt(call: Attempting, attempts: number): Promise<ModelOutcome> {
  const { branch, seq, asked, model } = call
  const { tree, path } = branch
  // An abandoned middleware may continue, but its calls can no longer be charged to the run.
  if (tree.ledger.isClosed) return failedBy(model, afterEnd(attempts - 1))
  const reserving = reserve(call)
  const most = reserving instanceof Promise ? await reserving : reserving
  // The call that freed the budget may have made this one unnecessary; give its abort time to arrive.
  if (reserving instanceof Promise && call.signal !== undefined) {
    await pause(tree.clock, 0, call.signal)
  }
  if (reserving instanceof Promise && tree.ledger.isClosed) {
    return failedBy(model, afterEnd(attempts - 1))
  }
  if (!most.ok) {
    const { ok: _, ...why } = most
    return { type: 'refused', by: 'budget', ...why }
  }
  if (tree.journal.records) tree.journal.push({ type: 'opened', path, seq, hold: most.hold })
  const { answerMs, pauseMs } = branch.services.modelTimeouts ?? DEFAULT_MODEL_TIMEOUTS
  const deadline = new Deadline(tree, asked.timeoutMs ?? answerMs, call.signal)
  if (call.onText !== undefined && asked.timeoutMs === undefined) deadline.limitPauses(pauseMs)
  let spent: Amounts = NOTHING
  try {
    const flushing = tree.journal.flush()
    if (flushing instanceof Promise) await flushing
    if (deadline.cause !== undefined) return abortedAttempt(call, deadline, attempts - 1)
    spent = most.hold
    const wire = wrapped(model.model, branch.services)
    const options = new CallOptions(call, most.maxTokens, deadline)
    // Streams only for a listener; both ways return the same answer.
    const answer =
      call.onText === undefined
        ? hear(
            branch,
            await generateWhole(call, deadline.race(wire.doGenerate(options)), most.maxTokens),
          )
        : await speak(call, { wire, options, deadline, onText: call.onText })
    const cost = answer.usage === undefined ? null : priceOf(model, answer.usage)
    spent = answeredAmounts(asked.role, model, { answer, cost, hold: most.hold })
    return toOutcome(call, answer, cost, attempts)
  } catch (error) {
    // Not a failure of the model: a replay diverged or the journal failed, so no fallback can help.
    if (error instanceof EchelonError && LOUD.has(error.code)) throw error
    const { cause } = deadline
    spent =
      cause === undefined
        ? failedAmounts({ role: asked.role, model, hold: most.hold }, error)
        : unknownAmounts(asked.role, model, most.hold)
    if (cause !== undefined) return abortedAttempt(call, deadline, attempts)
    return failedBy(model, withoutSecrets(call, toProblem(error, attempts, model.normalizeError)))
  } finally {
    deadline.release()
    tree.ledger.settle(most.hold, spent)
  }
}

/** Returns whether the budget would refuse an attempt even if all calls in flight returned their reserve. */
export function isRefused(call: Attempting): boolean {
  const most = worstCaseNow(call)
  return !most.ok || call.branch.tree.ledger.impossible(most.hold) !== undefined
}

const NOTHING: Amounts = {}
const LOUD: ReadonlySet<string> = new Set(['UNRECORDED_CALL', 'JOURNAL_FAILED'])

/** Reserves the worst case; clamps it again if other calls have used budget meanwhile. */
function reserve(call: Attempting): WorstCase | Promise<WorstCase> {
  const most = worstCaseNow(call)
  if (!most.ok) return most
  const limit = call.branch.tree.ledger.reserve(most.hold)
  return limit === undefined ? most : reserveAgain(call, most, limit)
}

async function reserveAgain(
  call: Attempting,
  before: Extract<WorstCase, { ok: true }>,
  refusing: string | undefined | Promise<string | undefined>,
): Promise<WorstCase> {
  const limit = await refusing
  if (limit === undefined) return before
  const again = worstCaseNow(call)
  if (again.ok && again.maxTokens < before.maxTokens) {
    const next = call.branch.tree.ledger.reserve(again.hold)
    return next === undefined ? again : reserveAgain(call, again, next)
  }
  return again.ok
    ? { ok: false, limit, message: `another call could exceed the limit of ${limit}` }
    : again
}

function worstCaseNow({ branch, asked, model, tools, thread, head, tail }: Attempting): WorstCase {
  const { tree } = branch
  const known = tree.knownTokens(model.id, thread)
  return worstCase(asked, { ledger: tree.ledger, model, tools, known, thread, head, tail })
}

/** Reads an answer that is not streamed, and adds the responding model to the trace. */
async function generateWhole(
  call: Attempting,
  answering: Promise<LanguageModelV4GenerateResult>,
  maxTokens: number,
): Promise<ModelAnswer> {
  const result = await answering
  if (result.response !== undefined) call.span?.answered(result.response)
  return believed(call, readResult(result, mostCharacters(call.model, maxTokens)), maxTokens)
}

/** Removes the usage from an answer if it is implausible. */
function believed(call: Attempting, answer: ModelAnswer, maxTokens: number): ModelAnswer {
  if (answer.usage === undefined) return answer
  const doubt = whyUnbelievable(answer.usage, call, { answer, maxTokens })
  return doubt === undefined ? answer : { ...answer, usage: undefined, doubt }
}

/** Passes an answer that is not streamed through the text middleware. */
function hear(branch: Branch, answer: ModelAnswer): ModelAnswer {
  return Voice.of(branch)?.tell(answer) ?? answer
}

interface Speaking {
  readonly wire: LanguageModelV4
  readonly options: CallOptions
  readonly deadline: Deadline
  readonly onText: (delta: string) => void
}

async function speak(call: Attempting, speaking: Speaking): Promise<ModelAnswer> {
  const { wire, options, deadline } = speaking
  const voice = Voice.of(call.branch)
  const say = (text: string): void => {
    // Stops a stream that continues after the call was aborted.
    if (deadline.cause !== undefined) throw new DOMException('given up', 'AbortError')
    if (text === '') return
    if (!call.spoke) call.span?.spoke()
    call.spoke = true
    speaking.onText(text)
  }
  const onDelta = voice === undefined ? say : (delta: string): void => say(voice.hear(delta))
  try {
    const { stream } = await deadline.race(wire.doStream(options))
    const { span } = call
    const onAnswered = span && ((by: AnsweredBy): void => span.answered(by))
    const onPart = (): void => deadline.heard()
    const most = mostCharacters(call.model, options.maxOutputTokens)
    const said = await deadline.race(readStream(stream, onDelta, { onPart, onAnswered, most }))
    const answer = believed(call, said, options.maxOutputTokens)
    if (voice !== undefined) say(voice.end())
    if (FINISH[answer.finish] === undefined) drop(call)
    return voice === undefined ? answer : voice.written(answer)
  } catch (error) {
    drop(call)
    throw error
  }
}

function drop({ branch, seq, spoke, telling }: Attempting): void {
  const { tree, path } = branch
  if (!spoke) return
  if (telling !== undefined) telling.drop()
  else if (tree.audience.hears('text-drop')) tree.audience.tell({ type: 'text-drop', path, seq })
}

function toOutcome(
  { branch, seq, model, thread }: Attempting,
  answer: ModelAnswer,
  cost: number | null,
  attempts: number,
): ModelOutcome {
  const { tree, path } = branch
  for (const warning of tree.audience.hears('model-warning') ? answer.warnings : []) {
    tree.audience.tell({ type: 'model-warning', path, seq, message: describeWarning(warning) })
  }
  if (answer.doubt !== undefined && tree.audience.hears('model-warning')) {
    const message = `the usage that ${model.id} reported cannot be true (${answer.doubt}); it is charged at the worst case that a limit reserved, or its cost is unknown where none was set`
    tree.audience.tell({ type: 'model-warning', path, seq, message })
  }
  const finish = FINISH[answer.finish]
  if (finish === undefined) {
    return failedBy(model, toProblem(new CutAnswer(`${model.id} gave up`), attempts))
  }
  const { text, calls, usage = NO_USAGE } = answer
  if (answer.usage !== undefined) tree.learnTokens(model.id, thread, usage.input)
  const answered: Generated = {
    type: 'generated',
    text,
    calls,
    finish,
    model: model.id,
    usage,
    cost,
  }
  const made =
    answer.usage === undefined
      ? { ...answered, assumed: answer.doubt ?? 'none was reported' }
      : answered
  const conversation = model.conversation?.idOf(answer.metadata)
  if (answer.content === undefined && conversation === undefined) return made
  return {
    ...made,
    ...(answer.content === undefined ? {} : { content: answer.content }),
    ...(conversation === undefined ? {} : { conversation }),
  }
}

const NO_USAGE = { input: 0, output: 0 }

/** Maps finish reasons; `undefined` for those that are failures. */
const FINISH: Readonly<Record<ModelAnswer['finish'], Generated['finish'] | undefined>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tools',
  'content-filter': 'filter',
  other: 'stop',
  error: undefined,
  interrupted: undefined,
}

function abortedAttempt(call: Attempting, deadline: Deadline, attempts: number): Refused | Failed {
  const { model } = call
  if (deadline.cause === 'seconds') {
    return {
      type: 'refused',
      by: 'budget',
      limit: 'seconds',
      message: 'the time limit of the run was reached',
    }
  }
  if (deadline.cause === 'canceled') {
    const message = 'the run was canceled'
    return failedBy(model, { code: 'aborted', message, retryable: false, attempts })
  }
  return failedBy(model, lateAnswer(call, deadline.wasHeard, attempts))
}

/** Returns a timeout problem. A silent model is not retried, which would take as long again. */
function lateAnswer(
  { branch, asked, model }: Attempting,
  wasHeard: boolean,
  attempts: number,
): Problem {
  const code = 'timeout'
  const { timeoutMs } = asked
  if (timeoutMs !== undefined) {
    const message = `${model.id} did not answer within its limit of ${timeoutMs / 1000} s`
    return { code, message, retryable: true, attempts }
  }
  const { answerMs, pauseMs } = branch.services.modelTimeouts ?? DEFAULT_MODEL_TIMEOUTS
  const message = wasHeard
    ? `${model.id} paused for more than ${pauseMs / 1000} s during its answer, the limit of modelTimeouts.pauseMs`
    : `${model.id} sent nothing for ${answerMs / 1000} s, the limit of modelTimeouts.answerMs`
  return { code, message, retryable: false, attempts }
}

const afterEnd = (attempts: number): Problem => ({
  code: 'aborted',
  message: 'the run has ended',
  retryable: false,
  attempts,
})

/** A server may repeat the key in its error. Hidden here, since the journal stores the message. */
function withoutSecrets({ branch, model }: Attempting, problem: Problem): Problem {
  const known = new ExactSecrets(model.secrets?.())
  const message = known.hideIn(problem.message, (secret) => placeholder('secret', secret))
  return { ...problem, message: branch.tree.redact(message) }
}

const failedBy = ({ id }: BoundModel, problem: Problem): Failed => ({
  type: 'failed',
  error: { ...problem, model: id },
})

/** Converts a provider's warning to text. */
export function describeWarning(warning: SharedV4Warning): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return `${warning.feature}: ${warning.details ?? warning.type}`
    case 'deprecated':
      return `${warning.setting}: ${warning.message}`
    case 'other':
      return warning.message
  }
}
