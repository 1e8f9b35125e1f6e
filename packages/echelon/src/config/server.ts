import { type ConfigTable, tableOf } from '../core/setting/config-table.ts'
import {
  type Kind,
  setting,
  type SettingTable,
  text,
  texts,
  whole,
} from '../core/setting/setting.ts'
import { isRecord } from '../core/value/json.ts'

/** A token of `echelon serve`, as a configuration file names it. */
export interface TokenSettings {
  readonly name: string
  /** SHA-256 of the token, hexadecimal. */
  readonly sha256: string
  readonly agents?: readonly string[]
  readonly usd_per_day?: number
  readonly usd_per_run?: number
  readonly requests_per_minute?: number
  readonly runs_at_once?: number
  /** The customer that it speaks as to the support agent. */
  readonly customer?: string
  /** Whether it sees and answers the runs of everybody. */
  readonly operator?: boolean
}

/** Settings of `echelon serve`: where it listens, and who may use it. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly tokens: readonly TokenSettings[]
  readonly agents_folder: string
  readonly datasets_folder: string
  readonly traces_folder: string
  readonly runs_at_once: number
  readonly runs_per_worker: number
  readonly runs_of_all_workers: number
  readonly starts_per_second: number
  readonly give_up_after: number
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

const NUMBERS = ['usd_per_day', 'usd_per_run', 'requests_per_minute', 'runs_at_once']
const FIELDS = new Set(['name', 'sha256', 'agents', 'customer', 'operator', ...NUMBERS])

const isToken = (value: unknown): value is TokenSettings =>
  isRecord(value) &&
  Object.keys(value).every((key) => FIELDS.has(key)) &&
  typeof value['name'] === 'string' &&
  typeof value['sha256'] === 'string' &&
  /^[0-9a-f]{64}$/i.test(value['sha256']) &&
  NUMBERS.every((key) => value[key] === undefined || Number(value[key]) >= 0) &&
  (value['agents'] === undefined || texts().fits(value['agents'])) &&
  (value['customer'] === undefined || typeof value['customer'] === 'string') &&
  (value['operator'] === undefined || typeof value['operator'] === 'boolean')

const tokenList: Kind<readonly TokenSettings[]> = {
  words: `a list of tokens, each {name, sha256} as echelon serve --new-token prints it, with agents, ${NUMBERS.join(', ')}, customer and operator if you like`,
  fits: (value): value is readonly TokenSettings[] => Array.isArray(value) && value.every(isToken),
  fromText: parsed,
  quiet: true,
}

/** JSON, since a token has fields; a comma alone is the empty list, as for every list. */
function parsed(text: string): unknown {
  if (text.trim() === ',') return []
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const SERVER: SettingTable<{ readonly server: ServerSettings }> = {
  server: {
    host: setting(text(), '127.0.0.1', 'Address to listen on; others reach it only with a token'),
    port: setting(whole(0, 65_535), 3000, 'Port to listen on; 0 takes a free one'),
    tokens: setting(
      tokenList,
      [],
      'Tokens of users, by their hash: echelon serve --new-token NAME prints one',
    ),
    agents_folder: setting(text(), 'agents', 'Folder with agents of your own to serve'),
    datasets_folder: setting(text(), 'datasets', 'Folder with data sets that operators may run'),
    traces_folder: setting(
      text(),
      'traces',
      'Folder with recorded answers, whose frontier operators see in the Studio',
    ),
    runs_at_once: setting(whole(1), 256, 'Runs that work at the same time'),
    runs_per_worker: setting(
      whole(1),
      20,
      'With a database: runs that work at the same time in one worker',
    ),
    runs_of_all_workers: setting(
      whole(0),
      0,
      'With a database: runs that work at the same time in all workers; 0 for no limit but theirs',
    ),
    starts_per_second: setting(
      whole(0),
      0,
      'With a database: runs that all workers begin or resume in a second; 0 for no limit',
    ),
    give_up_after: setting(
      whole(1),
      10,
      'Deaths of its process without a completed step after which a run is given up',
    ),
    hosts: setting(
      texts(),
      [],
      'Further names under which clients reach the server, such as behind a proxy',
    ),
    origins: setting(texts(), [], 'Origins of web pages that may call the server from elsewhere'),
  },
}

/** The configuration of the server. */
export interface ServerConfig {
  readonly server: ServerSettings
}

export const serverConfig: ConfigTable<ServerConfig> = tableOf(SERVER, ({ server }) => ({ server }))
