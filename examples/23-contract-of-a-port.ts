// A custom journal in files, checked against the contract of a journal.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry, Journal } from 'echelon/runtime'
import { journalContract } from 'echelon/testing'

/** A file for each run, a line for each append. */
class FileJournal implements Journal {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
  }
  append(runId: string, entries: readonly Entry[]): void {
    appendFileSync(this.#file(runId), `\n${JSON.stringify(entries)}`, { flush: true })
  }
  read(runId: string): readonly Entry[] {
    const file = this.#file(runId)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(entriesOf) : []
  }
  // An id may hold any characters; its digest is a valid file name.
  #file = (runId: string): string =>
    join(this.folder, createHash('sha256').update(runId).digest('hex'))
}

/** A line that a crash truncated is dropped: its append did not complete. */
function entriesOf(line: string): readonly Entry[] {
  try {
    return JSON.parse(line)
  } catch {
    return []
  }
}

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
