import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { Command } from 'commander'
import pc from 'picocolors'
import { EchelonError } from 'echelon/runtime'
import type { Config } from 'echelon/config'
import {
  type AgentRouter,
  createSupportAgent,
  loadPolicies,
  LocalExecutor,
  MockSink,
  OrderFacts,
  PrintSink,
  RulePolicyEngine,
  SQLiteSink,
  type TelemetrySink,
} from '@echelon/support'
import { LinePrompt } from '../chat/terminal/line-prompt.ts'
import { linesInTerminal } from '../chat/terminal/lines-in-terminal.ts'
import { redactorOf } from '../chat/make-agent.ts'
import { greeting, TerminalFace } from '../chat/terminal/terminal-face.ts'
import { type Lines, talkThroughPipe } from '../chat/terminal/through-pipe.ts'
import { clean } from '../terminal/clean.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { quoted, STARTED_AS } from '../started-as.ts'
import { keepStore, type OpenedStore, type StoreChoice, withStore } from '../store/keep-store.ts'
import { actingFor, titleOf } from '../support/acting-for.ts'
import { DESK_COMMANDS, isDeskCommand, runAtDesk } from '../support/commands.ts'
import { Desk, type DeskFace, type DeskTurn, unlessRefused } from '../support/desk.ts'
import { plainDeskFace, terminalDeskFace } from '../support/faces.ts'
import { type Rungs, rungsOf, type SupportModelOptions } from '../support/models.ts'
import { openDemoShop, openShop, type Shop } from '../support/shop.ts'
import type { Io } from '../io.ts'

const AFTERWORD = `
Commands in the chat, in piped input, and as the message: ${DESK_COMMANDS.join(', ')}. /help explains them.

Exit status: 0 when the last message was answered, 1 when that failed or was canceled, 2 bad usage
or configuration.`

interface SupportOptions extends SupportModelOptions, StoreChoice {
  readonly session?: string
  readonly customer?: string
  readonly customers?: true
  readonly data?: string
  readonly intents?: string
  readonly policies?: string
  readonly channel: string
  readonly telemetry?: string | true
  readonly json?: true
}

/** `echelon support [MESSAGE]`: a customer's conversation with the support agent. */
export function supportCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return withStore(new Command('support'))
    .description('chat with the support agent as a customer; comes with demo orders')
    .argument(
      '[message...]',
      'the message; if omitted, messages come from the terminal or piped lines',
    )
    .option('--session <id>', 'id of the conversation; a stored one is continued')
    .option('--customer <id>', 'customer id, or none; default: C-001 of the demo orders')
    .option('--customers', 'list the customers, then exit')
    .option('--data <file>', 'order data: a JSON file or a SQLiteDataSource database')
    .option('--intents <file>', 'intents file, instead of packages/support/config/intents.yaml')
    .option('--policies <file>', 'policies file, instead of packages/support/config/policies.yaml')
    .option('--channel <name>', 'channel that the customer writes from', 'chat')
    .option(
      '--model <model>',
      'model for messages that the embedded classifier is unsure of, and for the wording of answers',
    )
    .option('--big <model>', 'model for messages that --model is unsure of')
    .option(
      '--base-url <url>',
      'server of that model; openai-compatible reads its key from ECHELON_API_KEY',
    )
    .option('--telemetry [file]', 'write each stage as a line to stderr, or to a database file')
    .option('--json', 'print only one JSON object per turn on stdout')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      const given = called.optsWithGlobals<SupportOptions>()
      // The option takes the next word, and what has several of them is no file.
      const { telemetry: taken } = given
      const isSaid = typeof taken === 'string' && /\s/.test(taken)
      const options = isSaid || taken === '-' ? { ...given, telemetry: true as const } : given
      finish(await support(io, [...(isSaid ? [taken] : []), ...words].join(' ').trim(), options))
    })
}

async function support(io: Io, message: string, options: SupportOptions): Promise<ExitStatus> {
  const rungs = await rungsOf(io, options)
  const store = await keepStore(options, rungs.config, (sentence) =>
    note(io, `echelon: ${sentence}`),
  )
  const shop = await shopOf(options, store, rungs.config)
  try {
    if (options.customers === true) return await listCustomers(io, shop)
    const sinks = await sinksOf(io, options)
    try {
      const desk = await deskOf(io, options, { rungs, store, shop, sinks })
      return await talk(io, message, desk, { options, rungs, isKept: store !== undefined })
    } finally {
      await sinks.close()
    }
  } finally {
    await shop.close()
    await store?.close()
  }
}

interface Given {
  readonly rungs: Rungs
  readonly store: OpenedStore | undefined
  readonly shop: Shop
  readonly sinks: Sinks
}

/** The conversation, and for whom it is; what cannot be used is told before anybody says anything. */
async function deskOf(io: Io, options: SupportOptions, given: Given): Promise<Desk> {
  const { shop, sinks, rungs } = given
  const router = await routerOf(options, given)
  const session = options.session ?? newSession()
  const customer = await actingFor(options.customer, shop, await router.history(session))
  const redact = redactorOf(rungs.config)
  const { sink } = sinks
  const { channel } = options
  return new Desk(io, {
    router,
    session,
    customer,
    channel,
    shop,
    sink,
    redact: (text) => redact(text),
  })
}

/** Short enough to be typed. */
const newSession = (): string => randomUUID().slice(0, 8)

async function routerOf(
  { intents, policies }: SupportOptions,
  { rungs: { small, big }, store, shop, sinks }: Given,
): Promise<AgentRouter> {
  const { source: dataSource, now } = shop
  // Rules and tools count the days of the orders; what is kept of a run has the time that it is.
  const clock = { now }
  const policy = new RulePolicyEngine(
    await loadPolicies(policies),
    new OrderFacts({ dataSource, clock }),
  )
  const executor = new LocalExecutor(dataSource, {
    enforceIdentity: true,
    now,
    ...(store && { results: store.results }),
  })
  return createSupportAgent({
    dataSource,
    policy,
    executor,
    telemetry: sinks.all,
    understanding: { embedded: true, ...(big && { big }) },
    ...(small && { llmProvider: small }),
    ...(intents !== undefined && { intents }),
    ...(store && { store }),
  })
}

interface Talking {
  readonly options: SupportOptions
  readonly rungs: Rungs
  readonly isKept: boolean
}

async function talk(io: Io, message: string, desk: Desk, about: Talking): Promise<ExitStatus> {
  const json = about.options.json === true
  const inTerminal = !json && isTerminal(io.stdin) && isTerminal(io.stdout)
  await greet(io, desk, inTerminal && message === '', about)
  if (message !== '') {
    const face = inTerminal
      ? terminalDeskFace(io, new TerminalFace(io, new LinePrompt(io), undefined), desk)
      : plainDeskFace(io, json, desk)
    // A command is done, as it is in a pipe; other words are the customer's.
    if (isDeskCommand(message)) await runAtDesk(message, { desk, face })
    else await desk.take(message, face)
  } else if (inTerminal) await inTerminalTalk(io, desk)
  else {
    const face = plainDeskFace(io, json, desk)
    await talkThroughPipe(io, {
      ...linesOf(desk, face),
      isLast: (turn) => turn?.ended === 'canceled',
    })
  }
  const { ended = 'answered' } = desk
  return ended === 'answered' ? EXIT.success : EXIT.unverified
}

/** A message that cannot even begin is told, and others may come. */
const linesOf = (desk: Desk, face: DeskFace): Lines<DeskTurn | undefined> => ({
  command: async (line) =>
    (await unlessRefused(desk, face, () => runAtDesk(line, { desk, face }))) ?? 'on',
  take: (typed) => unlessRefused(desk, face, () => desk.take(typed, face)),
  isLast: () => false,
})

async function inTerminalTalk(io: Io, desk: Desk): Promise<void> {
  const history = await desk.history()
  const said = history.flatMap(({ role, text }) => (role === 'user' && text !== '' ? [text] : []))
  const prompt = new LinePrompt(io, said, DESK_COMMANDS)
  const face: DeskFace = terminalDeskFace(io, new TerminalFace(io, prompt, undefined), desk)
  await linesInTerminal(io, prompt, linesOf(desk, face))
}

/** For whom the agent acts comes first. */
async function greet(io: Io, desk: Desk, inTerminal: boolean, about: Talking): Promise<void> {
  const { options, rungs, isKept } = about
  io.stderr.write(`Acting for ${desk.customer.title}\n`)
  if (desk.shop.remark !== undefined) note(io, desk.shop.remark)
  const { length } = await desk.history()
  const id = clean(desk.session)
  if (length > 0) note(io, `conversation ${id} goes on after ${length} messages`)
  else if (isKept && options.session === undefined) {
    note(io, `${STARTED_AS} support --session ${quoted(id)} continues this conversation`)
  }
  const [first, ...others] = ['the embedded classifier', ...rungs.names.map(clean)]
  if (others.length > 0) note(io, `${[first, ...others].join(', then ')} read what you say`)
  if (!inTerminal) return
  if (others.length === 0) note(io, `${first} reads, templates answer`)
  note(io, '/orders lists orders to ask about, /help all commands, Ctrl-D ends')
  io.stderr.write('\n')
}

/** Beside what the customer reads. */
const note = (io: Io, text: string): void =>
  void io.stderr.write(`${isTerminal(io.stderr) ? greeting(io, pc.dim(text)) : pc.dim(text)}\n`)

async function listCustomers(io: Io, shop: Shop): Promise<ExitStatus> {
  if (shop.customerIds === undefined) throw usage('the customers of a database are not listed here')
  for (const id of shop.customerIds) {
    io.stdout.write(`${titleOf(id, (await shop.source.getCustomer(id)) ?? {})}\n`)
  }
  return EXIT.success
}

/** Demo orders change beside the store, so that a conversation that goes on finds them as it left them. */
function shopOf(
  { data, store: asked }: SupportOptions,
  store: OpenedStore | undefined,
  { records }: Config,
): Promise<Shop> {
  if (data !== undefined) return openShop(data)
  const file = asked || records.store_file
  return openDemoShop(store === undefined || !file ? undefined : dirname(file))
}

interface Sinks {
  readonly sink: MockSink
  readonly all: readonly TelemetrySink[]
  close(): Promise<void>
}

/** @throws EchelonError STORE_UNUSABLE for a file that holds something else */
async function sinksOf(io: Io, { telemetry }: SupportOptions): Promise<Sinks> {
  const sink = new MockSink()
  if (telemetry === undefined) return { sink, all: [sink], close: async () => undefined }
  if (telemetry === true) {
    const printed = new PrintSink({ write: (line) => io.stderr.write(pc.dim(line)) })
    return { sink, all: [sink, printed], close: async () => undefined }
  }
  const file = new SQLiteSink(telemetry)
  await file.events('')
  return { sink, all: [sink, file], close: () => file.close() }
}

/** What is no terminal has no such field at all. */
const isTerminal = ({ isTTY = false }: { readonly isTTY?: boolean }): boolean => isTTY

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
