import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed, Generated } from '../../core/agent/observation.ts'
import { type Contender, Contenders } from './contender.ts'
import { abortedCall } from '../reliability/given-up.ts'
import { isWhole } from '../cache/cached-answer.ts'
import { atLeast, type Known, knownOptions, oneOf, wholeFrom } from '../option-check.ts'
import { answerKey, isDecided, partiesOf, type Party } from './vote.ts'

interface Common {
  /**
   * Whether an answer counts. Default: it is complete (`stop` or `tools`) and has text or tool calls. An
   * error thrown here fails the call.
   */
  readonly good?: (answer: Generated) => boolean
}

/** The first good answer wins, and the others are aborted. */
export interface FirstAnswerOptions extends Common {
  readonly mode: 'first'
  /**
   * Hedging: milliseconds to wait for a good answer before the next model is called too; after a failure
   * the next one is called at once. Default 0: all are called at the same time.
   */
  readonly afterMs?: number
}

/** The most frequent answer wins. */
export interface VoteOptions extends Common {
  readonly mode: 'vote'
  /**
   * The key by which answers are equal. Default: for tool calls the tools and their input; for an answer
   * with a `schema` its JSON value, in any order of fields; else its trimmed text. Set one for answers
   * longer than a word or a number.
   */
  readonly key?: (answer: Generated) => string
  /** The number that must agree. Default: more than half of the models. */
  readonly quorum?: number
  /**
   * Whether to abort running calls once no other answer can win; default false. It saves time, but aborted
   * calls are charged at their worst case.
   */
  readonly early?: boolean
}

export type ParallelOptions = FirstAnswerOptions | VoteOptions

/**
 * Calls several models at the same time: the agent's own and these. For the budget each is a call of its
 * own: its worst case is reserved first (under a tight limit one waits for another) and settled to the
 * actual usage. Losers are aborted and settled before the answer is returned; since their usage is
 * unknown, they are charged at their worst case, and the cost is unknown (`null`). The outcome has the
 * tokens and cost of all answers together.
 *
 * `first`: the first good answer wins. Without one, the outcome is the answer of the earliest model in
 * the list that gave any, else its failure, which lists the models called. `vote`: the most frequent good
 * answer wins, as given by the earliest model; of two equally frequent ones, the one that an earlier
 * model gave. Without a quorum the call fails; an outer fallback calls all again, with its model instead
 * of the agent's own.
 *
 * Nothing is shown before the decision, since only a complete answer can be judged; then the winner's
 * text is streamed in its original pieces. A cancel aborts all calls. Emits `won` or `voted`. It keeps no
 * state. On resume: a recorded answer is reused; calls interrupted by a crash are charged at their worst
 * case, and all models are called again.
 * @throws EchelonError INVALID_CONFIG for a list without a model, or an invalid option
 */
export function parallel(
  models: readonly (string | BoundModel)[],
  options: ParallelOptions,
): Middleware<'parallel', undefined> {
  check(models, options)
  return defineMiddleware({
    name: 'parallel',
    namespace: 'echelon',
    async generate(call, next, context) {
      const contenders = new Contenders([undefined, ...models], { call, next, run: context.run })
      try {
        return options.mode === 'first'
          ? await first(contenders, call, { options, context })
          : await vote(contenders, call, { options, context, of: models.length + 1 })
      } finally {
        await contenders.giveUp()
      }
    },
  })()
}

type Context = MiddlewareContext<undefined>

// ---- the first good answer ----

async function first(
  contenders: Contenders,
  call: ModelCall,
  { options, context }: { readonly options: FirstAnswerOptions; readonly context: Context },
): Promise<ModelOutcome> {
  const winner = await firstGood(contenders, options)
  const model = winner?.model ?? null
  const asked = contenders.asked.map((one) => one.model)
  if (!contenders.isGivenUp) context.emit('won', { model, asked })
  return spoken(contenders, call, winner ?? contenders.asked.find(({ answer }) => answer))
}

async function firstGood(
  contenders: Contenders,
  { good = isGood, afterMs = 0 }: FirstAnswerOptions,
): Promise<Contender | undefined> {
  if (afterMs === 0) contenders.askAll()
  else contenders.askNext()
  const judged = new Set<Contender>()
  for (;;) {
    const came = contenders.asked.filter((one) => one.isOver && !judged.has(one))
    for (const one of came) {
      judged.add(one)
      if (one.answer !== undefined && good(one.answer)) return one
      contenders.askNext()
    }
    if (came.length === 0) {
      if (!contenders.areMoreToCome) return undefined
      if (await contenders.wait(afterMs)) contenders.askNext()
    }
  }
}

const isGood = (answer: Generated): boolean =>
  isWhole(answer) && (answer.text.trim() !== '' || answer.calls.length > 0)

// ---- the most frequent answer ----

interface Voting {
  readonly options: VoteOptions
  readonly context: Context
  /** The number of models. */
  readonly of: number
}

async function vote(
  contenders: Contenders,
  call: ModelCall,
  { options, context, of }: Voting,
): Promise<ModelOutcome> {
  const { quorum = Math.floor(of / 2) + 1 } = options
  const [party] = await election(contenders, call, { ...options, quorum })
  const votes = party?.length ?? 0
  if (party !== undefined && votes >= quorum) {
    context.emit('voted', { model: party[0].model, votes, of, quorum })
    return spoken(contenders, call, party[0])
  }
  if (contenders.isGivenUp) return abortedCall(contenders.asked.length)
  context.emit('voted', { model: null, votes, of, quorum })
  return contenders.asked.some(({ answer }) => answer)
    ? noQuorum(votes, quorum, contenders.asked)
    : noAnswer(contenders.asked)
}

async function election(
  contenders: Contenders,
  call: ModelCall,
  { good = isGood, key, quorum, early = false }: VoteOptions & { readonly quorum: number },
): Promise<readonly Party[]> {
  contenders.askAll()
  const keys = new Map<Contender, string | undefined>()
  for (;;) {
    for (const one of contenders.asked) {
      const { answer } = one
      if (answer === undefined || keys.has(one)) continue
      keys.set(one, good(answer) ? (key?.(answer) ?? answerKey(answer, call)) : undefined)
    }
    const parties = partiesOf(contenders.asked, (one) => keys.get(one))
    const open = contenders.open.length
    if (!contenders.areMoreToCome || (early && isDecided(parties, { open, quorum }))) return parties
    await contenders.wait(Infinity)
  }
}

// ---- the outcome ----

/** Returns the chosen answer, or the reason why no contender has one. */
async function spoken(
  contenders: Contenders,
  call: ModelCall,
  chosen: Contender | undefined,
): Promise<ModelOutcome> {
  // Abort before streaming: a call aborted while it streams retracts its text.
  await contenders.giveUp()
  const answer = chosen?.answer
  if (chosen === undefined || answer === undefined) return noAnswer(contenders.asked)
  chosen.speak(answer, call.onText)
  return withAll(answer, contenders.asked)
}

/** The usage of all answers together. */
function withAll(answer: Generated, asked: readonly Contender[]): Generated {
  let [input, output] = [0, 0]
  let cost: number | null = 0
  for (const one of asked) {
    input += one.answer?.usage.input ?? 0
    output += one.answer?.usage.output ?? 0
    const its = costOf(one.outcome)
    cost = cost === null || its === null ? null : cost + its
  }
  return { ...answer, usage: { input, output }, cost }
}

/** The usage of an aborted call is unknown. */
function costOf(outcome: ModelOutcome | undefined): number | null {
  if (outcome?.type === 'generated') return outcome.cost
  const isCut = outcome?.type === 'failed' && outcome.error.code === 'aborted'
  return outcome === undefined || (isCut && outcome.error.attempts > 0) ? null : 0
}

/** Without an answer: the failure of the earliest model, with the models called. */
function noAnswer(asked: readonly Contender[]): ModelOutcome {
  const outcomes = asked.flatMap(({ outcome }) => outcome ?? [])
  const failure = outcomes.find((outcome) => outcome.type === 'failed')
  if (failure === undefined) return outcomes[0] ?? abortedCall(0)
  const { error } = failure
  if (asked.length === 1) return failure
  const attempts = outcomes.reduce(
    (sum, outcome) => sum + (outcome.type === 'failed' ? outcome.error.attempts : 0),
    0,
  )
  const list = asked.map(({ model, outcome }) => `${model}: ${codeOf(outcome)}`).join(', ')
  return { ...failure, error: { ...error, message: `${error.message} (asked ${list})`, attempts } }
}

function codeOf(outcome: ModelOutcome | undefined): string {
  if (outcome?.type === 'failed') return outcome.error.code
  return outcome?.type === 'refused' ? `limit of ${outcome.limit}` : 'no good answer'
}

const noQuorum = (votes: number, quorum: number, asked: readonly Contender[]): Failed => ({
  type: 'failed',
  error: {
    code: 'unknown',
    message: `${quorum} of ${asked.length} models must agree on an answer, and at most ${votes} did`,
    retryable: false,
    attempts: asked.length,
  },
})

function check(models: readonly (string | BoundModel)[], options: ParallelOptions): void {
  checkNames(options)
  if (models.length === 0 || models.includes('')) {
    throw invalid('name at least one model to ask besides the agent’s own')
  }
  if (models.length >= MOST_MODELS) throw invalid(`ask at most ${MOST_MODELS} models at once`)
  if (options.mode === 'first') return atLeast(0, 'parallel', { afterMs: options.afterMs })
  wholeFrom(1, 'parallel', { quorum: options.quorum })
  const of = models.length + 1
  if ((options.quorum ?? 1) > of) {
    throw invalid(`quorum is ${options.quorum}, and only ${of} models are asked`)
  }
}

/** Each mode has its own options, so the mode is checked first. */
function checkNames(options: ParallelOptions): void {
  knownOptions('parallel', options, { ...FIRST, ...VOTE })
  oneOf('parallel', 'mode', options.mode, ['first', 'vote'])
  if (options.mode === 'first') knownOptions('parallel of mode first', options, FIRST)
  else knownOptions('parallel of mode vote', options, VOTE)
}

const FIRST: Known<FirstAnswerOptions> = { mode: true, good: true, afterMs: true }

const VOTE: Known<VoteOptions> = { mode: true, good: true, key: true, quorum: true, early: true }

/** Including the agent's own. More is probably a mistake in the list. */
const MOST_MODELS = 16

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `parallel: ${what}`)
