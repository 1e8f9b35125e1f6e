import {
  type ConversationRuns,
  type ConversationVerdict,
  demoShop,
  ModelProvider,
  parseConversations,
  runConversations,
} from '@echelon/support'
import { createRegistry, standardProviders, withReasoning } from 'echelon/providers'
import pc from 'picocolors'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type Io, printLine } from '../io.ts'
import { rungsOf, type SupportModelOptions } from '../support/models.ts'
import { clean } from '../terminal/clean.ts'
import { textOfFile } from './text-of-file.ts'

/** Options of `echelon eval` for a file of conversations. */
export interface ConversationOptions extends SupportModelOptions {
  readonly small?: string
  readonly repeat: number
  readonly simulator?: string
  readonly gates?: true
  readonly json?: true
}

/** Whether a data set is a file of conversations. */
export const isConversations = (file: string): boolean => /\.ya?ml$/i.test(file)

/** Tries each conversation of a file with the support agent, offline or with the named models. */
export async function evaluateConversations(
  io: Io,
  file: string,
  options: ConversationOptions,
): Promise<ExitStatus> {
  const set = await parseConversations(textOfFile(file, 'the conversations'), file)
  const { small, big, simulator, repeat } = options
  // Without a named model the agent is tried as it is without a key.
  const named = small ?? (big === undefined ? 'offline/small' : undefined)
  const rungs = await rungsOf(io, { ...options, ...(named !== undefined && { model: named }) })
  const player = simulator === undefined ? undefined : await simulatorOf(io, options, simulator)
  const all = await runConversations(set, {
    open: demoShop({
      ...(rungs.small && { llmProvider: rungs.small }),
      ...(rungs.big && { understanding: { embedded: true, big: rungs.big } }),
    }),
    repeat,
    ...(player && { simulator: player }),
  })
  const figures = figuresOf(all, repeat)
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify({ figures, conversations: all }, null, 2)}\n`)
  } else {
    for (const { runs } of all) printLine(io, describe(runs))
    printLine(
      io,
      `${figures.right} of ${all.length} right, ${figures.weak} weak, ${figures.wrong} wrong at pass^${repeat}`,
    )
  }
  const isGood = figures.right === all.length
  return isGood || options.gates !== true ? EXIT.success : EXIT.unverified
}

async function simulatorOf(
  io: Io,
  options: ConversationOptions,
  model: string,
): Promise<ModelProvider> {
  const { config } = await rungsOf(io, { ...options, model })
  const registry = createRegistry(standardProviders)
  return new ModelProvider(
    await registry.resolve(model, withReasoning(config.providers, model, 'least')),
  )
}

interface Figures {
  /** Conversations of which all runs are right: pass^k for k runs. */
  readonly right: number
  readonly weak: number
  /** Conversations of which any run is wrong. */
  readonly wrong: number
  readonly runs: number
}

function figuresOf(all: readonly ConversationRuns[], runs: number): Figures {
  const has = (
    { runs: made }: ConversationRuns,
    verdict: ConversationVerdict['verdict'],
  ): boolean => made.some((run) => run.verdict === verdict)
  const wrong = all.filter((one) => has(one, 'wrong')).length
  const weak = all.filter((one) => !has(one, 'wrong') && has(one, 'weak')).length
  return { right: all.length - wrong - weak, weak, wrong, runs }
}

const MARKS = { right: pc.green('✓'), weak: pc.yellow('~'), wrong: pc.red('✗') } as const
const WORST = ['wrong', 'weak', 'right'] as const

/** One line for a conversation, and its transcript with what is wrong if it is not right. */
function describe(runs: readonly ConversationVerdict[]): string {
  const worst = WORST.flatMap((verdict) => runs.find((run) => run.verdict === verdict) ?? [])[0]
  if (worst === undefined) return ''
  const line = `${MARKS[worst.verdict]} ${clean(worst.id)}`
  if (worst.verdict === 'right') return line
  const turns = worst.turns.flatMap(({ move, text }) => [
    pc.dim(`    > ${clean(move.type === 'user' ? move.text : `${move.type} ${move.by}`)}`),
    ...text.split('\n').map((said) => pc.dim(`    < ${clean(said)}`)),
  ])
  return [line, ...turns, ...worst.flaws.map((flaw) => `    ${clean(flaw)}`)].join('\n')
}
