import { EchelonError } from 'echelon/runtime'
import type { AgentCheck, AnyDefinition, Started, StateHolder } from 'echelon/runtime'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { allowedServers } from '../mcp/allowed.ts'
import { serversPath } from '../mcp/servers-file.ts'
import { agentAsMade } from '../store/agent-as-made.ts'
import { type Made, type Place, placeWhereMade, readMade } from '../store/made.ts'
import type { Io } from '../io.ts'

/** Against what a run is tried; or why it is not, with what is said of it instead. */
export type ForRun =
  | { readonly holders: readonly StateHolder[]; readonly isOfProgram: boolean }
  | { readonly check: AgentCheck }

/** Agents that are held in memory at a time: many runs are begun in the same way. */
const MOST_HELD = 32

/** The agents that stored runs were begun with, made again to be looked at. */
export class AgentsOfRuns {
  readonly #io: Io

  readonly #own: readonly StateHolder[]
  readonly #others: readonly StateHolder[]
  readonly #global: GlobalOptions
  readonly #held = new Map<string, ForRun>()

  /**
   * @param own agents that the user named: for runs of their names they are stronger
   * @param others for all that the runs do not say themselves
   */
  constructor(
    io: Io,
    own: readonly StateHolder[],
    others: readonly StateHolder[],
    global: GlobalOptions = {},
  ) {
    this.#io = io
    this.#own = own
    this.#others = others
    this.#global = global
  }

  /** For conversations, which do not say how their agents were made. */
  get all(): readonly StateHolder[] {
    return [...this.#own, ...this.#others]
  }

  async forRun(started: Started): Promise<ForRun> {
    if (isKnown(this.#own, started)) return { holders: this.all, isOfProgram: false }
    const key = JSON.stringify(started.made ?? null)
    const held = this.#held.get(key)
    if (held !== undefined) return held
    if (this.#held.size >= MOST_HELD) this.#held.clear()
    const found = await this.#find(started)
    this.#held.set(key, found)
    return found
  }

  async #find({ made: kept }: Started): Promise<ForRun> {
    try {
      const made = readMade(kept ?? null)
      if (made === undefined) return { holders: this.all, isOfProgram: true }
      return await this.#make(made)
    } catch (error) {
      if (!(error instanceof EchelonError)) throw error
      return { check: { type: 'refused', code: error.code, reason: error.message } }
    }
  }

  async #make(made: Made): Promise<ForRun> {
    // A case goes by the settings that are kept with it, wherever it is looked at.
    const place = made.command === 'decide' ? HERE : placeOf(made, this.#global)
    if ('reason' in place) return { check: { type: 'unchecked', reason: place.reason } }
    return inFolder(place.folder, async () => {
      const reason =
        made.command === 'chat' ? await whyUnknown(this.#io, made.choice.tools, place) : undefined
      if (reason !== undefined) return { check: { type: 'unchecked', reason } }
      const holder = await agentAsMade(this.#io, made, place)
      return { holders: [...this.#own, holder, ...this.#others], isOfProgram: false }
    })
  }
}

const HERE: Place = { folder: '.' }

/** What the agents of these know of a run; what fails is told by the examination. */
function isKnown(holders: readonly StateHolder[], started: Started): boolean {
  try {
    return definitionAmong(holders, started) !== undefined
  } catch {
    return true
  }
}

/** What would decide in a run. */
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

/** Elsewhere than where it was begun a run is no worse for it. */
function placeOf(made: Made, global: GlobalOptions): Place | { readonly reason: string } {
  try {
    return placeWhereMade(made, global)
  } catch (error) {
    if (error instanceof EchelonError) return { reason: error.message }
    throw error
  }
}

/** Which tools a server has is known only of one that is connected. */
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
  return `its tools come from MCP servers too (${servers.map(clean).join(', ')}), which are not connected for this`
}

/** Configuration, skills and servers are those of the folder in which a process is. */
async function inFolder<Found>(folder: string, find: () => Promise<Found>): Promise<Found> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await find()
  } finally {
    process.chdir(before)
  }
}
