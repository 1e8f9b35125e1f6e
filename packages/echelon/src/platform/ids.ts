import type { Ids } from '../core/agent/ports.ts'
import { nodeCrypto } from './crypto.ts'

/** Random UUIDs (version 4). */
export const systemIds: Ids = { next: () => nodeCrypto().randomUUID() }
