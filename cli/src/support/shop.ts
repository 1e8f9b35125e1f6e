import { randomUUID } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EchelonError, isJson, isJsonObject, type JsonObject, systemClock } from 'echelon/runtime'
import { readGivenTextSync } from 'echelon/config'
import { isDatabaseFile } from '@echelon/store'
import {
  type DataSource,
  DEMO_DAY,
  demoOrders,
  JSONDataSource,
  type Records,
  SQLiteDataSource,
} from '@echelon/support'

/** The orders and customers of a conversation, and what day it is for them. */
export interface Shop {
  readonly source: DataSource
  /** Ids of all orders, in file order; undefined for a database, which is not listed. */
  readonly orderIds: readonly string[] | undefined
  readonly customerIds: readonly string[] | undefined
  /** The time for rules and tools, in milliseconds since the epoch. */
  readonly now: () => number
  readonly isDemo: boolean
  /** A remark about changes of orders, if there is one. */
  readonly remark: string | undefined
  close(): Promise<void>
}

/**
 * Opens a JSON file, or a database of `SQLiteDataSource`.
 * @throws EchelonError INVALID_INPUT and STORE_UNUSABLE for an unusable file
 */
export async function openShop(file: string): Promise<Shop> {
  if (isDatabaseFile(file)) {
    const source = new SQLiteDataSource(file)
    // Read now, so that problems show before the first message.
    await source.getOrder('')
    return { ...UNLISTED, source, now, close: () => source.close() }
  }
  const source = new JSONDataSource(file)
  await source.getOrder('')
  return {
    ...listed(file),
    source,
    now,
    isDemo: false,
    remark: `changes of ${file} last as long as this command; a database of SQLiteDataSource keeps them`,
    close: async () => undefined,
  }
}

const now = (): number => systemClock.now()

const UNLISTED = {
  orderIds: undefined,
  customerIds: undefined,
  isDemo: false,
  remark: undefined,
} as const

/**
 * Opens the demo orders, on the day that they are about.
 * @param folder for changes, shared by all processes; if undefined, changes last as long as this one
 */
export async function openDemoShop(folder: string | undefined): Promise<Shop> {
  const demo = { ...listed(demoOrders()), now: demoNow, isDemo: true, remark: TELLS_OF }
  if (folder === undefined) {
    return { ...demo, source: new JSONDataSource(), close: async () => undefined }
  }
  const file = join(folder, DEMO_FILE)
  if (!existsSync(file)) await makeDemo(file)
  const source = new SQLiteDataSource(file)
  return { ...demo, source, close: () => source.close() }
}

const DEMO_FILE = 'support-demo.db'

const TELLS_OF = `demo orders: rules and tools take ${DEMO_DAY} as today`

/** The day of the demo orders, at the current time of day. */
const demoNow = (): number => {
  return Date.parse(`${DEMO_DAY}T00:00:00Z`) + (now() % 86_400_000)
}

/** Renames a complete file into place, since another process may open it at any time. */
async function makeDemo(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  const made = await SQLiteDataSource.create(draft, {
    orders: recordsOf(demoOrders()),
    customers: recordsOf(customersOf(demoOrders())),
  })
  await made.close()
  renameSync(draft, file)
}

const customersOf = (orders: string): string => join(dirname(orders), 'customers.json')

const listed = (orders: string): Pick<Shop, 'orderIds' | 'customerIds'> => ({
  orderIds: Object.keys(recordsOf(orders)),
  customerIds: existsSync(customersOf(orders)) ? Object.keys(recordsOf(customersOf(orders))) : [],
})

/** The limit of `JSONDataSource`. */
const MOST_BYTES = 256 * 1024 * 1024

/** Reads records from a file that a `JSONDataSource` has checked. */
function recordsOf(file: string): Records {
  const found: unknown = JSON.parse(readGivenTextSync(file, MOST_BYTES))
  if (!isJson(found) || !isJsonObject(found)) {
    throw new EchelonError('INVALID_INPUT', `${file} holds no records; give one object by id`)
  }
  const records = Object.entries(found).flatMap(([id, one]): [string, JsonObject][] =>
    isJsonObject(one) ? [[id, one]] : [],
  )
  return Object.fromEntries(records)
}
