import type { Config } from 'echelon/config'
import { type CaseOptions, DEFAULT_SETTINGS, type DecideSettings, MODES } from 'echelon/decide'
import type { Json } from 'echelon/runtime'
import { EchelonError, isJson } from 'echelon/internal/value'
import { z } from 'zod'
import { type OfferedParts, OFFERED_SKILL, OFFERED_TOOL } from './offered-parts.ts'

/** The settings that a command stores in its recording, so that the agent can be created again. */
export type About = CaseAbout | ChatAbout

export interface CaseAbout {
  readonly command: 'decide'
  readonly task: string
  readonly settings: DecideSettings
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly options: Pick<
    CaseOptions,
    'mode' | 'expectedTools' | 'goldAnswer' | 'seed' | 'today' | 'timeZone'
  >
}

export interface ChatAbout {
  readonly command: 'chat'
  readonly model: string
  readonly settings: DecideSettings
  readonly canAsk: boolean
  /** Whether calls were denied because no one could approve them. */
  readonly unasked: boolean
  readonly choice: {
    readonly instructions?: string
    readonly maxIterations?: number
    readonly maxSeconds?: number
    readonly tools?: readonly string[] | false
    readonly ask?: readonly string[]
    readonly skillScripts?: true
  }
  readonly brought: OfferedParts
  /** The conversation that was continued. */
  readonly checkpoint?: Json
}

/** Shallow check; users of the settings validate them. */
export const SETTINGS: z.ZodType<DecideSettings> = z.custom<DecideSettings>(isSettings)

const CASE: z.ZodType<CaseAbout> = z.object({
  command: z.literal('decide'),
  task: z.string(),
  settings: SETTINGS,
  models: z.array(z.string()),
  options: z.object({
    mode: z.exactOptional(z.enum(MODES)),
    expectedTools: z.exactOptional(z.array(z.string())),
    goldAnswer: z.exactOptional(z.string().nullable()),
    seed: z.exactOptional(z.number()),
    today: z.exactOptional(z.string()),
    timeZone: z.exactOptional(z.string()),
  }),
})

const CHAT: z.ZodType<ChatAbout> = z.object({
  command: z.literal('chat'),
  model: z.string(),
  settings: SETTINGS,
  canAsk: z.boolean(),
  unasked: z.boolean(),
  choice: z.object({
    instructions: z.exactOptional(z.string()),
    maxIterations: z.exactOptional(z.number()),
    maxSeconds: z.exactOptional(z.number()),
    tools: z.exactOptional(z.union([z.array(z.string()), z.literal(false)])),
    ask: z.exactOptional(z.array(z.string())),
    skillScripts: z.exactOptional(z.literal(true)),
  }),
  brought: z.object({ tools: z.array(OFFERED_TOOL), skills: z.array(OFFERED_SKILL) }),
  checkpoint: z.exactOptional(z.json()),
})

/** Whether every section exists; their content is validated where it is used. */
function isSettings(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(DEFAULT_SETTINGS).every((section) => section in value)
}

/** The command that made a recording; undefined if another program made it. */
export function readAbout(path: string, about: Json): About | undefined {
  const isOurs = typeof about === 'object' && about !== null && 'command' in about
  if (!isOurs) return undefined
  const read: z.ZodSafeParseResult<About> = (about['command'] === 'chat' ? CHAT : CASE).safeParse(
    about,
  )
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new EchelonError(
    'INVALID_INPUT',
    `${path} was recorded by another version of Echelon (${issue?.path.join('.')}: ${issue?.message}); replay it with that version`,
  )
}

/** The value as JSON would hold it. */
export function asJson(value: object): Json {
  const held: unknown = JSON.parse(JSON.stringify(value))
  return isJson(held, 128) ? held : null
}

/** The part of a recording from which a case can be decided again. */
export function aboutCase(
  task: string,
  options: CaseOptions,
  { settings, run }: Pick<Config, 'settings' | 'run'>,
): Json {
  const { models } = settings
  const { mode = run.mode, expectedTools, goldAnswer, today, timeZone } = options
  const seed = options.seed ?? run.seed ?? undefined
  return asJson({
    command: 'decide',
    task,
    settings,
    models: models.ladder ?? [models.small_model, models.big_model],
    options: { mode, expectedTools, goldAnswer, seed, today, timeZone },
  })
}
