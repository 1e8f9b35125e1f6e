import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type {
  Layer,
  MiddlewareContext,
  ModelCall,
  ModelOutcome,
} from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed, Generated } from '../../core/agent/observation.ts'
import { type Contender, Contenders } from './contender.ts'
import { givenUp } from '../reliability/given-up.ts'
import { isWhole } from '../cache/kept-answer.ts'
import { atLeast, type Known, knownOptions, oneOf, wholeFrom } from '../option-check.ts'
import { answerKey, isDecided, partiesOf, type Party } from './vote.ts'

interface Common {
  /**
   * Whether an answer counts. Default: it is complete (`stop` or `tools`) and holds text or tool calls.
   * What throws here fails the call.
   */
  readonly good?: (answer: Generated) => boolean
}

/** The first good answer is taken, and the others are given up. */
export interface FirstAnswerOptions extends Common {
  readonly mode: 'first'
  /**
   * Milliseconds until the next model is asked too, while none has answered well; one that fails has
   * the next asked at once. Default 0: all are asked at the same time.
   */
  readonly afterMs?: number
}

/** The answer that most give is taken. */
export interface VoteOptions extends Common {
  readonly mode: 'vote'
  /**
   * By what answers are the same. Default: of an answer that calls tools, the tools and their input; of
   * one that was to be JSON (`schema`), its value, whatever the order of fields; else its text without
   * the blanks around it. Give one for all that is longer than a word or a number.
   */
  readonly key?: (answer: Generated) => string
  /** How many must agree. Default: more than half of the models. */
  readonly quorum?: number
  /**
   * Whether those that are still thinking are given up as soon as nobody can overtake; default false.
   * It saves time; what they took by then is charged at the most that it can be.
   */
  readonly early?: boolean
}

export type ParallelOptions = FirstAnswerOptions | VoteOptions

/**
 * Asks several models at the same time: the agent's own, and these. Each is a call of its own for the
 * budget: its worst case is reserved before it is made (under a tight limit one waits for another),
 * and settled to what it took. Whoever loses is given up, and settled before the answer is handed on;
 * what it took nobody knows, so it is charged at its worst case, and the cost is unknown (`null`).
 * The outcome's tokens and cost are those of all answers together.
 *
 * `first`: the first good answer wins. Of none, the earliest model's answer in the list that is one at
 * all is the outcome, else its failure, which says what was tried. `vote`: the answer that most good
 * ones agree on, of these the one of the earliest model; of two as frequent, the one that an earlier
 * model gave. Without a quorum the call fails; a fallback outside asks all anew, with its model in the
 * place of the agent's own.
 *
 * Nothing is shown before it is decided, since only a whole answer can be judged; then the winner's
 * text is, in the pieces it came in. A cancel gives all of them up. Tells `won` or `voted`. It keeps
 * no state. On resume: an answer that is on record is taken from there; calls that a crash cut off are
 * charged at their worst, and all models are asked anew.
 * @throws EchelonError INVALID_CONFIG for a list without a model, or options that cannot work
 */
export function parallel(
  models: readonly (string | BoundModel)[],
  options: ParallelOptions,
): Layer<'parallel', undefined> {
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

// ---- the answer of most ----

interface Voting {
  readonly options: VoteOptions
  readonly context: Context
  /** How many are asked. */
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
  if (contenders.isGivenUp) return givenUp(contenders.asked.length)
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

// ---- what comes of it ----

/** The answer of whom was chosen, or why there is none. */
async function spoken(
  contenders: Contenders,
  call: ModelCall,
  chosen: Contender | undefined,
): Promise<ModelOutcome> {
  // Before anybody is heard: who is given up in the midst of a word takes back what was said.
  await contenders.giveUp()
  const answer = chosen?.answer
  if (chosen === undefined || answer === undefined) return noAnswer(contenders.asked)
  chosen.speak(answer, call.onText)
  return withAll(answer, contenders.asked)
}

/** What all of them took is what the answer took. */
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

/** Of what was given up on its way nobody knows what it took. */
function costOf(outcome: ModelOutcome | undefined): number | null {
  if (outcome?.type === 'generated') return outcome.cost
  const isCut = outcome?.type === 'failed' && outcome.error.code === 'aborted'
  return outcome === undefined || (isCut && outcome.error.attempts > 0) ? null : 0
}

/** Nobody gave an answer: what the earliest failed with, and what was tried. */
function noAnswer(asked: readonly Contender[]): ModelOutcome {
  const outcomes = asked.flatMap(({ outcome }) => outcome ?? [])
  const failure = outcomes.find((outcome) => outcome.type === 'failed')
  if (failure === undefined) return outcomes[0] ?? givenUp(0)
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

/** A mode has options of its own, so it is looked at first. */
function checkNames(options: ParallelOptions): void {
  knownOptions('parallel', options, { ...FIRST, ...VOTE })
  oneOf('parallel', 'mode', options.mode, ['first', 'vote'])
  if (options.mode === 'first') knownOptions('parallel of mode first', options, FIRST)
  else knownOptions('parallel of mode vote', options, VOTE)
}

const FIRST: Known<FirstAnswerOptions> = { mode: true, good: true, afterMs: true }

const VOTE: Known<VoteOptions> = { mode: true, good: true, key: true, quorum: true, early: true }

/** The agent's own included. More is a mistake in a list rather than a wish. */
const MOST_MODELS = 16

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `parallel: ${what}`)
