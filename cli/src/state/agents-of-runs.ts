import {
  EchelonError,
  type AgentCheck,
  type AnyDefinition,
  type Started,
  type StateHolder,
} from 'echelon/runtime'
import type { ServedAgent } from '@echelon/server'
import { clean } from '../terminal/clean.ts'
import type { FoundAgent } from './load-agent.ts'
import type { GlobalOptions } from '../configuration.ts'
import { allowedServers } from '../mcp/allowed.ts'
import { serversPath } from '../mcp/servers-file.ts'
import { recreateAgent } from '../store/recreate-agent.ts'
import { type RunOrigin, type Place, originPlace, readOrigin } from '../store/run-origin.ts'
import type { Io } from '../io.ts'

/** The agents to check a run against, or the reason why it is not checked. */
export type ForRun =
  | { readonly holders: readonly StateHolder[]; readonly isOfProgram: boolean }
  | { readonly check: AgentCheck }

/** Most agents to cache; many runs start in the same way. */
const MOST_HELD = 32

/** Recreates the agents of stored runs to check the runs against them. */
export class AgentsOfRuns {
  readonly #io: Io

  readonly #own: readonly StateHolder[]
  readonly #served: readonly ServedAgent[]
  readonly #others: readonly StateHolder[]
  readonly #global: GlobalOptions
  readonly #held = new Map<string, ForRun>()

  /**
   * @param own agents of the user, which override others of the same name
   * @param others agents for runs that do not say how theirs was created
   */
  constructor(
    io: Io,
    own: readonly FoundAgent[],
    others: readonly StateHolder[],
    global: GlobalOptions = {},
  ) {
    this.#io = io
    this.#own = own.flatMap((one) => ('holder' in one ? one.holder : []))
    this.#served = own.flatMap((one) => ('served' in one ? one.served : []))
    this.#others = others
    this.#global = global
  }

  /** For conversations, which do not say how their agent was created. */
  get all(): readonly StateHolder[] {
    return [...this.#own, ...this.#others]
  }

  async forRun(started: Started): Promise<ForRun> {
    if (isKnown(this.#own, started)) return { holders: this.all, isOfProgram: false }
    const served = this.#served.find(({ definition }) => definition === started.agent)
    if (served !== undefined) return this.#ofServed(served, started)
    const key = JSON.stringify(started.made ?? null)
    const held = this.#held.get(key)
    if (held !== undefined) return held
    if (this.#held.size >= MOST_HELD) this.#held.clear()
    const found = await this.#find(started)
    this.#held.set(key, found)
    return found
  }

  async #ofServed(agent: ServedAgent, started: Started): Promise<ForRun> {
    try {
      const definition = await agent.definitionOf?.(started)
      if (definition === undefined) return { check: ONLY_ITSELF }
      const holder: StateHolder = { definition, middlewares: [] }
      return { holders: [holder, ...this.all], isOfProgram: false }
    } catch (error) {
      return refused(error)
    }
  }

  async #find({ made: kept }: Started): Promise<ForRun> {
    try {
      const made = readOrigin(kept ?? null)
      if (made === undefined) return { holders: this.all, isOfProgram: true }
      return await this.#make(made)
    } catch (error) {
      return refused(error)
    }
  }

  async #make(made: RunOrigin): Promise<ForRun> {
    // A case has its settings stored with it, so the folder does not matter.
    const place = made.command === 'decide' ? HERE : placeOf(made, this.#global)
    if ('reason' in place) return { check: { type: 'unchecked', reason: place.reason } }
    return inFolder(place.folder, async () => {
      const reason =
        made.command === 'chat' ? await whyUnknown(this.#io, made.choice.tools, place) : undefined
      if (reason !== undefined) return { check: { type: 'unchecked', reason } }
      const holder = await recreateAgent(this.#io, made, place)
      return { holders: [...this.#own, holder, ...this.#others], isOfProgram: false }
    })
  }
}

const ONLY_ITSELF: AgentCheck = {
  type: 'unchecked',
  reason: 'its agent tells only when it resumes the run',
}

function refused(error: unknown): ForRun {
  if (!(error instanceof EchelonError)) throw error
  return { check: { type: 'refused', code: error.code, reason: error.message } }
}

const HERE: Place = { folder: '.' }

/** Whether one of the agents knows the run. The examination reports errors. */
function isKnown(holders: readonly StateHolder[], started: Started): boolean {
  try {
    return definitionAmong(holders, started) !== undefined
  } catch {
    return true
  }
}

/** The definition that would decide in a run. */
export function definitionAmong(
  holders: readonly StateHolder[],
  started: Started,
): AnyDefinition | undefined {
  for (const { definition } of holders) {
    const given = typeof definition === 'function' ? definition(started) : definition
    if (given?.name === started.agent) return given
  }
  return undefined
}

/** Where the run was started, if that can be used; a problem here is not a fault of the run. */
function placeOf(made: RunOrigin, global: GlobalOptions): Place | { readonly reason: string } {
  try {
    return originPlace(made, global)
  } catch (error) {
    if (error instanceof EchelonError) return { reason: error.message }
    throw error
  }
}

/** Tools of MCP servers are unknown, because nothing is connected here. */
async function whyUnknown(
  io: Io,
  named: readonly string[] | false | undefined,
  place: Place,
): Promise<string | undefined> {
  if (named === false) return undefined
  const servers = allowedServers(io, serversPath(place))
  if (servers.length === 0) return undefined
  if (named !== undefined) {
    const { standardTools } = await import('@echelon/tools')
    const known = new Set((await standardTools()).map(({ name }) => name))
    if (named.every((name) => known.has(name))) return undefined
  }
  return `it also has tools of MCP servers (${servers.map(clean).join(', ')}), which this check does not connect to`
}

/** Runs a function in a folder, which decides configuration, skills and servers. */
async function inFolder<Found>(folder: string, find: () => Promise<Found>): Promise<Found> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await find()
  } finally {
    process.chdir(before)
  }
}
