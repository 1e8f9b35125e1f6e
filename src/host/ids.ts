import { randomUUID } from 'node:crypto'
import type { Ids } from '../core/ports.ts'

/** Random UUIDs (version 4). */
export const systemIds: Ids = { next: () => randomUUID() }
