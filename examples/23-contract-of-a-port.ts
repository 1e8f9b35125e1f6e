// A journal of one's own, in files, held to all that a journal must do.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry, Journal } from 'echelon/runtime'
import { journalContract } from 'echelon/testing'

/** A file for each run. An append is one line, written whole or, where the process dies in it, not read. */
class FileJournal implements Journal {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
  }
  append(runId: string, entries: readonly Entry[]): void {
    appendFileSync(this.#file(runId), `${JSON.stringify(entries)}\n`, { flush: true })
  }
  read(runId: string): readonly Entry[] {
    const file = this.#file(runId)
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.flatMap((line): Entry[] => JSON.parse(line))
  }
  #file = (runId: string): string => join(this.folder, `${digest(runId)}.jsonl`)
}

const { createHash } = await import('node:crypto')
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const home = mkdtempSync(join(tmpdir(), 'journal-'))
let nth = 0
const cases = journalContract(() => new FileJournal(join(home, `${nth++}`)), {
  reopen: (journal) => new FileJournal(journal instanceof FileJournal ? journal.folder : home),
})

// In a test runner: for (const { name, holds } of cases) test(name, holds)
for (const { name, holds } of cases) {
  await holds()
  console.log('✓', name)
}
rmSync(home, { recursive: true })
