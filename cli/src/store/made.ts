import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import type { DecideSettings } from 'echelon/decide'
import { EchelonError, isJsonObject, type Json } from 'echelon/runtime'
import { z } from 'zod'
import type { AgentChoice } from '../chat/agent-choice.ts'
import { asJson, SETTINGS } from '../record/about.ts'

/**
 * What a command keeps with a run so that its agent can be made again in another process. No key,
 * and nothing that may hold one: an address is kept without user, password and query.
 */
export type Made = MadeCase | MadeChat

interface MadeAnywhere {
  /** Where it was begun: configuration, tools of servers and files are those of this folder. */
  readonly folder: string
  /** The configuration that was named, as a whole path. */
  readonly config?: string
  /** The server of its models, if one was named. */
  readonly baseUrl?: string
}

export interface MadeCase extends MadeAnywhere {
  readonly command: 'decide'
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly settings: DecideSettings
  readonly artifacts: string
  /** Whether prices came from a server of the user's, whose address may hold a key. */
  readonly hasStockUrl?: true
}

export interface MadeChat extends MadeAnywhere {
  readonly command: 'chat'
  readonly model: string
  /** Whether somebody could be asked to go on beyond a limit. */
  readonly canAsk: boolean
  readonly choice: ChatChoice
}

/** What of the command line decides what the agent of a chat is. */
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
  /** Only that what is asked waits: a yes to all of it is said anew each time. */
  readonly approve?: 'later'
}

const ANYWHERE = {
  folder: z.string(),
  config: z.exactOptional(z.string()),
  baseUrl: z.exactOptional(z.string()),
}

const CASE: z.ZodType<MadeCase> = z.object({
  ...ANYWHERE,
  command: z.literal('decide'),
  models: z.array(z.string()),
  settings: SETTINGS,
  artifacts: z.string(),
  hasStockUrl: z.exactOptional(z.literal(true)),
})

const CHAT: z.ZodType<MadeChat> = z.object({
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

/** What both commands are told of where they work. */
interface Placed {
  readonly config?: string
  readonly baseUrl?: string
}

export function madeCase(
  options: Placed & { readonly stockUrl?: string },
  made: Pick<MadeCase, 'models' | 'settings' | 'artifacts'>,
): Json {
  const hasStockUrl = options.stockUrl === undefined ? undefined : true
  return asJson({ command: 'decide', ...placeOf(options), ...made, hasStockUrl })
}

export function madeChat(
  choice: Omit<ChatChoice, 'approve'> & Placed & { readonly approve?: string },
  { model, canAsk }: Pick<MadeChat, 'model' | 'canAsk'>,
): Json {
  const { instructions, tools, ask, skills, skillScripts, knowledge } = choice
  const { maxIterations, maxSeconds, maxCost, artifacts } = choice
  const limits = { maxIterations, maxSeconds, maxCost }
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
      knowledge,
      ...limits,
      artifacts,
      approve,
    },
  })
}

const placeOf = ({ config, baseUrl }: Placed): Partial<MadeAnywhere> => ({
  folder: process.cwd(),
  ...(config !== undefined && { config: resolve(config) }),
  ...(baseUrl !== undefined && { baseUrl: plainAddress(baseUrl) }),
})

function plainAddress(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** @returns nothing for a run that another program began */
export function readMade(made: Json): Made | undefined {
  const command = isJsonObject(made) ? made['command'] : undefined
  if (command !== 'decide' && command !== 'chat') return undefined
  const read: z.ZodSafeParseResult<Made> = (command === 'chat' ? CHAT : CASE).safeParse(made)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw usage(
    `the run was begun by another version of echelon (${issue?.path.join('.')}: ${issue?.message}); go on with it there`,
  )
}

/** What must be said again by whoever goes on with a run. */
export interface SaidAgain {
  readonly config?: string
  readonly baseUrl?: string
  readonly stockUrl?: string
}

/** Where a run was begun, as far as its agent goes by it. */
export interface Place {
  readonly folder: string
  /** The configuration that is named, as a whole path. */
  readonly config?: string
}

/**
 * Where the run was begun, with the configuration that is named again.
 * @throws EchelonError INVALID_INPUT that says what to add
 */
export function placeWhereMade({ folder, config }: Made, given: Pick<SaidAgain, 'config'>): Place {
  const named = given.config === undefined ? undefined : resolve(given.config)
  if (config !== named) {
    throw config === undefined
      ? usage('the run was begun without --config; leave it out')
      : usage(`the run was begun with another configuration; add --config ${config}`)
  }
  if (!isOpenFolder(resolve(folder))) {
    throw usage(`the folder ${folder}, in which the run was begun, is not there any more`)
  }
  return { folder: resolve(folder), ...(named !== undefined && { config: named }) }
}

/** Whether a process can go there. */
function isOpenFolder(path: string): boolean {
  try {
    accessSync(`${path}/.`, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Goes where the run was begun. What decides to whom keys are sent is not believed of a file that
 * somebody may have put there: it is to be said again.
 * @returns the options as they hold in that folder
 * @throws EchelonError INVALID_INPUT that says what to add
 */
export function goWhereMade<Given extends SaidAgain>(made: Made, given: Given): Given {
  const { baseUrl } = made
  const { folder, ...configured } = placeWhereMade(made, given)
  const address = given.baseUrl === undefined ? undefined : plainAddress(given.baseUrl)
  if (baseUrl !== address && !(address === undefined && isHere(baseUrl))) {
    throw baseUrl === undefined
      ? usage('the run was begun without --base-url; leave it out')
      : usage(
          `the run was begun with the server ${baseUrl}; add --base-url ${baseUrl}, if it is yours`,
        )
  }
  if ('hasStockUrl' in made && made.hasStockUrl && given.stockUrl === undefined) {
    throw usage('the run was begun with prices from a server of yours; add its --stock-url')
  }
  process.chdir(folder)
  return {
    ...given,
    ...configured,
    ...(baseUrl !== undefined && { baseUrl: given.baseUrl ?? baseUrl }),
  }
}

/** Of this computer: no key leaves it. */
const isHere = (address: string | undefined): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address ?? '')?.hostname ?? '')

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
