import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import type { DecideSettings } from 'echelon/decide'
import type { Json } from 'echelon/runtime'
import { EchelonError, isJsonObject } from 'echelon/internal/value'
import { isPostgresAddress, postgresAddress } from '@echelon/store/internal/address'
import { z } from 'zod'
import type { AgentChoice } from '../chat/agent-choice.ts'
import { asJson, SETTINGS } from '../record/about.ts'

/**
 * The data that a command stores with a run, so that another process can recreate the agent. It holds no keys:
 * URLs are stored without user, password and query.
 */
export type RunOrigin = CaseOrigin | ChatOrigin

interface AnyOrigin {
  /** Folder where the run was started, which decides configuration, MCP servers and files. */
  readonly folder: string
  /** Absolute path of --config. */
  readonly config?: string
  /** Value of --base-url, without secrets. */
  readonly baseUrl?: string
}

export interface CaseOrigin extends AnyOrigin {
  readonly command: 'decide'
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly settings: DecideSettings
  readonly artifacts: string
  /** Whether --stock-url was given. Its URL is not stored, since it may hold a key. */
  readonly hasStockUrl?: true
}

export interface ChatOrigin extends AnyOrigin {
  readonly command: 'chat'
  readonly model: string
  /** Whether a person could be asked to continue beyond a limit. */
  readonly canAsk: boolean
  readonly choice: ChatChoice
}

/** Command-line options that define the agent of a chat. */
export type ChatChoice = Pick<
  AgentChoice,
  | 'instructions'
  | 'tools'
  | 'ask'
  | 'skills'
  | 'skillScripts'
  | 'knowledge'
  | 'maxIterations'
  | 'maxSeconds'
  | 'maxCost'
  | 'artifacts'
> & {
  /** Only `later` is stored; `always` and `never` must be given again each time. */
  readonly approve?: 'later'
}

const ANYWHERE = {
  folder: z.string(),
  config: z.exactOptional(z.string()),
  baseUrl: z.exactOptional(z.string()),
}

const CASE: z.ZodType<CaseOrigin> = z.object({
  ...ANYWHERE,
  command: z.literal('decide'),
  models: z.array(z.string()),
  settings: SETTINGS,
  artifacts: z.string(),
  hasStockUrl: z.exactOptional(z.literal(true)),
})

const CHAT: z.ZodType<ChatOrigin> = z.object({
  ...ANYWHERE,
  command: z.literal('chat'),
  model: z.string(),
  canAsk: z.boolean(),
  choice: z.object({
    instructions: z.exactOptional(z.string()),
    tools: z.exactOptional(z.union([z.array(z.string()), z.literal(false)])),
    ask: z.exactOptional(z.array(z.string())),
    skills: z.exactOptional(z.array(z.string())),
    skillScripts: z.exactOptional(z.literal(true)),
    knowledge: z.exactOptional(z.union([z.string(), z.literal(false)])),
    maxIterations: z.exactOptional(z.number()),
    maxSeconds: z.exactOptional(z.number()),
    maxCost: z.exactOptional(z.number()),
    artifacts: z.exactOptional(z.string()),
    approve: z.exactOptional(z.literal('later')),
  }),
})

/** Options of both commands about their place. */
interface Placed {
  readonly config?: string
  readonly baseUrl?: string
}

export function caseOrigin(
  options: Placed & { readonly stockUrl?: string },
  made: Pick<CaseOrigin, 'models' | 'settings' | 'artifacts'>,
): Json {
  const hasStockUrl = options.stockUrl === undefined ? undefined : true
  return asJson({ command: 'decide', ...placeOf(options), ...made, hasStockUrl })
}

export function chatOrigin(
  choice: Omit<ChatChoice, 'approve'> & Placed & { readonly approve?: string },
  { model, canAsk }: Pick<ChatOrigin, 'model' | 'canAsk'>,
): Json {
  const { instructions, tools, ask, skills, skillScripts, knowledge } = choice
  const { maxIterations, maxSeconds, maxCost, artifacts } = choice
  const limits = { maxIterations, maxSeconds, maxCost }
  const place = knowledge === undefined ? undefined : withoutPassword(knowledge)
  const approve = choice.approve === 'later' ? choice.approve : undefined
  return asJson({
    command: 'chat',
    ...placeOf(choice),
    model,
    canAsk,
    choice: {
      instructions,
      tools,
      ask,
      skills,
      skillScripts,
      knowledge: place,
      ...limits,
      artifacts,
      approve,
    },
  })
}

/** A run is resumed with the address only if it needs no password. The word database is kept as it is. */
const withoutPassword = (place: string | false): string | false =>
  place !== false && isPostgresAddress(place) ? postgresAddress(place).shown : place

const placeOf = ({ config, baseUrl }: Placed): Partial<AnyOrigin> => ({
  folder: process.cwd(),
  ...(config !== undefined && { config: resolve(config) }),
  ...(baseUrl !== undefined && { baseUrl: plainAddress(baseUrl) }),
})

function plainAddress(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** @returns undefined for a run that another program started */
export function readOrigin(made: Json): RunOrigin | undefined {
  const command = isJsonObject(made) ? made['command'] : undefined
  if (command !== 'decide' && command !== 'chat') return undefined
  const read: z.ZodSafeParseResult<RunOrigin> = (command === 'chat' ? CHAT : CASE).safeParse(made)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw usage(
    `the run was started by another version of Echelon (${issue?.path.join('.')}: ${issue?.message}); resume it with that version`,
  )
}

/** Options that must be given again to resume a run. */
export interface RepeatedOptions {
  readonly config?: string
  readonly baseUrl?: string
  readonly stockUrl?: string
}

/** Where a run was started, as far as its agent depends on it. */
export interface Place {
  readonly folder: string
  /** Absolute path of --config. */
  readonly config?: string
}

/**
 * Where the run was started, checked against --config given again.
 * @throws EchelonError INVALID_INPUT that says what to add
 */
export function originPlace(
  { folder, config }: RunOrigin,
  given: Pick<RepeatedOptions, 'config'>,
): Place {
  const named = given.config === undefined ? undefined : resolve(given.config)
  if (config !== named) {
    throw config === undefined
      ? usage('the run was started without --config; leave it out')
      : usage(`the run was started with another configuration; add --config ${config}`)
  }
  if (!isOpenFolder(resolve(folder))) {
    throw usage(`the folder ${folder}, where the run was started, does not exist any more`)
  }
  return { folder: resolve(folder), ...(named !== undefined && { config: named }) }
}

/** Whether the process can change to this folder. */
function isOpenFolder(path: string): boolean {
  try {
    accessSync(`${path}/.`, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Changes to the folder where the run was started. Options that decide where keys are sent are not
 * taken from the store, which may have been tampered with; the user must repeat them.
 * @returns the options as they apply in that folder
 * @throws EchelonError INVALID_INPUT that says what to add
 */
export function enterOrigin<Given extends RepeatedOptions>(made: RunOrigin, given: Given): Given {
  const { baseUrl } = made
  const { folder, ...configured } = originPlace(made, given)
  const address = given.baseUrl === undefined ? undefined : plainAddress(given.baseUrl)
  if (baseUrl !== address && !(address === undefined && isHere(baseUrl))) {
    throw baseUrl === undefined
      ? usage('the run was started without --base-url; leave it out')
      : usage(
          `the run was started with the server ${baseUrl}; add --base-url ${baseUrl} if you trust it`,
        )
  }
  if ('hasStockUrl' in made && made.hasStockUrl && given.stockUrl === undefined) {
    throw usage('the run was started with your own price server; add its --stock-url')
  }
  process.chdir(folder)
  return {
    ...given,
    ...configured,
    ...(baseUrl !== undefined && { baseUrl: given.baseUrl ?? baseUrl }),
  }
}

/** Whether a URL is on this machine, so that no key leaves it. */
const isHere = (address: string | undefined): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address ?? '')?.hostname ?? '')

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
