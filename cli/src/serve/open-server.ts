import type { Config } from 'echelon/config'
import { briefModels } from 'echelon/chat'
import { EchelonError } from 'echelon/runtime'
import { type AgentServer, createServer, evaluationsIn } from '@echelon/server'
import { configFor, type GlobalOptions } from '../configuration.ts'
import type { RecordsChoice } from '../records.ts'
import { redactorOf } from '../conversation/redactor.ts'
import { clean } from '../terminal/clean.ts'
import type { Io } from '../io.ts'
import { type ServerOnFleet, serverOnFleet } from './fleet.ts'
import { releaseIn } from './release.ts'
import { ownAgents } from './own-agents.ts'
import { type StandardAgents, standardAgents } from './served-agents.ts'
import { serverTokens } from './server-tokens.ts'
import { studioFolder } from './studio-folder.ts'
import { tuneSetsIn } from './tune-sets.ts'

export interface OpenServerOptions extends GlobalOptions, RecordsChoice {
  readonly release?: string
  readonly tokenFile?: string
  readonly store?: string
  /** Address of a PostgreSQL database. Workers on it perform the runs. */
  readonly database?: string
}

/** A server of the configuration, before it listens. */
export interface OpenedServer {
  readonly server: AgentServer
  readonly settings: Config['server']
  /** Whether it serves the Studio. */
  readonly hasStudio: boolean
  /** Closes its store. Call it after the server has stopped. */
  readonly close: () => Promise<void>
}

/**
 * Opens the store and creates a server with the agents of the configuration and those of the user.
 * @param files with agents, by path
 */
export async function openServer(
  io: Io,
  files: readonly string[],
  options: OpenServerOptions,
): Promise<OpenedServer> {
  const config = await configFor(io, options)
  const { server: settings, records } = config
  const database = databaseFor(io, options)
  const file = database ?? options.store ?? records.store_file ?? ':memory:'
  const { openStore } = await import('@echelon/store')
  const store = await openStore(file, { giveUpAfter: settings.give_up_after })
  const log = (line: string): void => void io.stderr.write(`${clean(line)}\n`)
  let standard: StandardAgents | undefined
  let fleet: ServerOnFleet | undefined
  const close = async (): Promise<void> => {
    await fleet?.close()
    await standard?.close()
    await store.close()
  }
  try {
    standard = await standardAgents(io, { options, config, store, file })
    const page = studioFolder()
    const own = await ownAgents(settings.agents_folder, files, { store, config })
    if (database !== undefined)
      fleet = await serverOnFleet(database, {
        store,
        settings,
        release: releaseIn(io, options),
        log,
      })
    const server = createServer({
      agents: withoutTwins([...standard.agents, ...own]),
      store,
      tokens: serverTokens(settings, {
        file: options.tokenFile,
        variable: io.env['ECHELON_SERVER_TOKEN'],
      }),
      datasets: evaluationsIn(settings.datasets_folder, standard.decider, { gates: config.gates }),
      tuneSets: tuneSetsIn(settings.traces_folder),
      ...(page !== undefined && { studio: page }),
      runsAtOnce: settings.runs_at_once,
      hosts: settings.hosts,
      origins: settings.origins,
      redact: redactorOf(config),
      priceOf: async (model, usage) =>
        (await briefModels.resolve(model, config.providers)).price(usage),
      log,
      ...fleet?.options,
    })
    return { server, settings, hasStudio: page !== undefined, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A store that is named outranks the environment. */
function databaseFor(io: Io, { database, store }: OpenServerOptions): string | undefined {
  const set = io.env['ECHELON_DATABASE']
  return database ?? (store === undefined && set !== '' ? set : undefined)
}

export function withoutTwins<Named extends { readonly name: string }>(
  agents: readonly Named[],
): readonly Named[] {
  const names = agents.map(({ name }) => name)
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  if (twin === undefined) return agents
  throw usage(`two agents are called ${clean(twin)}; give the one of your own another name`)
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
