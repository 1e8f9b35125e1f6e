import { createHash } from 'node:crypto'
import type { CopiedRow, CopiedValue } from './copied-tables.ts'

/** The number of a table's rows and a digest of them that ignores their order. */
export interface TableFacts {
  readonly rows: number
  readonly digest: string
}

const BYTES = 16

/** Adds up the digests of rows, so that two databases may return them in any order. */
export class TableDigest {
  #rows = 0
  #sum = 0n

  add(row: CopiedRow): void {
    this.#rows++
    const digest = createHash('sha256')
      .update(JSON.stringify(row.map(shown)))
      .digest('hex')
    this.#sum = BigInt.asUintN(BYTES * 8, this.#sum + BigInt(`0x${digest.slice(0, BYTES * 2)}`))
  }

  facts(): TableFacts {
    return { rows: this.#rows, digest: this.#sum.toString(16) }
  }
}

const shown = (value: CopiedValue): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
