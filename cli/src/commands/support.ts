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
import { namesOf } from '../conversation/commands.ts'
import { converse, type Face, statusOf } from '../conversation/converse.ts'
import type { Display } from '../conversation/display.ts'
import { openDisplay } from '../conversation/open-display.ts'
import { redactorOf } from '../conversation/redactor.ts'
import { wrapLines } from '../markdown/wrap.ts'
import { clean, widthOf } from '../terminal/clean.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { quoted, STARTED_AS } from '../started-as.ts'
import { isPostgresAddress } from '@echelon/store/internal/address'
import { STORE_FILE } from '../default-places.ts'
import { keepStore, type OpenedStore, type StoreChoice, withStore } from '../store/keep-store.ts'
import { actingFor, titleOf } from '../support/acting-for.ts'
import { DESK_COMMANDS } from '../support/commands.ts'
import { Desk } from '../support/desk.ts'
import { type Rungs, rungsOf, type SupportModelOptions } from '../support/models.ts'
import { openDemoShop, openShop, type Shop } from '../support/shop.ts'
import type { Io } from '../io.ts'

const AFTERWORD = `
Commands in the chat, in piped input, and as the message: ${namesOf(DESK_COMMANDS).join(', ')}. /help explains them.

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
      // The option takes the next word; a value with spaces is the message.
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
      const display = openDisplay(io, options)
      const desk = await deskOf(io, display, options, { rungs, store, shop, sinks })
      const about = { options, rungs, isKept: store !== undefined }
      await announce(io, desk, about)
      return statusOf(await converse(io, display, await faceOf(io, desk, about), message))
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

/** Opens the conversation. Problems show here, before the first message. */
async function deskOf(
  io: Io,
  display: Display,
  options: SupportOptions,
  given: Given,
): Promise<Desk> {
  const { shop, sinks, rungs } = given
  const router = await routerOf(options, given)
  const session = options.session ?? newSession()
  const customer = await actingFor(options.customer, shop, await router.history(session))
  const redactor = redactorOf(rungs.config)
  const redact = (text: string): string => redactor(text)
  const { sink } = sinks
  const { channel } = options
  return new Desk({ io, display, router, session, customer, channel, shop, sink, redact })
}

/** Creates an id that is short enough to type. */
const newSession = (): string => randomUUID().slice(0, 8)

async function routerOf(
  { intents, policies }: SupportOptions,
  { rungs: { small, big }, store, shop, sinks }: Given,
): Promise<AgentRouter> {
  const { source: dataSource, now } = shop
  // Rules and tools use the day of the orders; stored runs use the real time.
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

/** Announces for whom the agent acts, and in which conversation. */
async function announce(io: Io, desk: Desk, { options, rungs, isKept }: Talking): Promise<void> {
  const { customer, shop, session } = desk.parts
  io.stderr.write(`Acting for ${customer.title}\n`)
  if (shop.remark !== undefined) note(io, shop.remark)
  const { length } = await desk.history()
  const id = clean(session)
  if (length > 0) note(io, `conversation ${id} goes on after ${length} messages`)
  else if (isKept && options.session === undefined) {
    note(io, `${STARTED_AS} support --session ${quoted(id)} continues this conversation`)
  }
  const readers = [CLASSIFIER, ...rungs.names.map(clean)]
  if (readers.length > 1) note(io, `${readers.join(', then ')} read what you say`)
}

const CLASSIFIER = 'the embedded classifier'

async function faceOf(io: Io, desk: Desk, { rungs }: Talking): Promise<Face<Desk>> {
  const history = await desk.history()
  return {
    commands: DESK_COMMANDS,
    context: desk,
    history: history.flatMap(({ role, text }) => (role === 'user' && text !== '' ? [text] : [])),
    greet() {
      if (rungs.names.length === 0) note(io, `${CLASSIFIER} reads, templates answer`)
      note(io, '/orders lists orders to ask about, /help all commands, Ctrl-D ends')
      io.stderr.write('\n')
    },
    take: (text) => desk.take(text),
    redact: (text) => desk.parts.redact(text),
  }
}

/** Writes a remark to stderr, since stdout holds what the customer reads. */
function note(io: Io, text: string): void {
  const dim = pc.dim(text)
  io.stderr.write(`${io.stderr.isTTY ? wrapLines(dim, widthOf(io.stderr, 80)) : dim}\n`)
}

async function listCustomers(io: Io, shop: Shop): Promise<ExitStatus> {
  if (shop.customerIds === undefined) throw usage('the customers of a database are not listed here')
  for (const id of shop.customerIds) {
    io.stdout.write(`${titleOf(id, (await shop.source.getCustomer(id)) ?? {})}\n`)
  }
  return EXIT.success
}

/** Keeps changes of demo orders next to the store, so that a resumed conversation finds them. */
function shopOf(
  { data, store: asked }: SupportOptions,
  store: OpenedStore | undefined,
  { records }: Config,
): Promise<Shop> {
  if (data !== undefined) return openShop(data)
  const file = asked || records.store_file
  const place = file && isPostgresAddress(file) ? STORE_FILE : file
  return openDemoShop(store === undefined || !place ? undefined : dirname(place))
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

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
