import assert from 'node:assert/strict'
import type { Artifact } from '../../../core/tool/artifact.ts'
import type { Entry } from '../../../core/journal/journal.ts'
import type { RunStore } from '../../../core/store/run-store.ts'
import type { ArtifactIndex } from '../../../core/store/store.ts'
import type { ToolOutcome } from '../../../core/tool/tool-call.ts'
import { casesOf, type ContractCase, notCopied } from '../../contract.ts'
import { ended, started } from '../../run-store/premises.ts'

/** An index of files, and the runs whose tools make them. */
export interface ArtifactIndexTrial {
  readonly artifacts: ArtifactIndex
  readonly runs: RunStore
}

/**
 * The requirements of every `ArtifactIndex`, together with the `RunStore` from which it is derived:
 * `for (const { name, holds } of artifactIndexContract(open)) test(name, holds)`.
 * @param open new, empty stores for each case
 */
export function artifactIndexContract(
  open: () => ArtifactIndexTrial | Promise<ArtifactIndexTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run without files has an empty index', async ({ artifacts, runs }) => {
      assert.deepEqual(await artifacts.of('r'), [])
      assert.equal(await artifacts.find('a.png'), undefined)
      const nothing = [{ type: 'ok', value: 'a.png' }] as const
      await runs.append('r', [started('r', AT), called(0, nothing)])
      assert.deepEqual(await artifacts.of('r'), [])
    }),
    caseOf('files are indexed as calls settle and as steps close', async ({ artifacts, runs }) => {
      const outcomes = [
        madeFile('a.png'),
        { type: 'denied', reason: 'no' },
        madeFile('b.txt'),
      ] as const
      await runs.append('r', [started('r', AT)])
      await runs.append('r', [settled(0, 0, outcomes[0])])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
      await runs.append('r', [called(0, outcomes)])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png', 'b.txt'])
      const { at, ...found } = (await artifacts.find('a.png')) ?? { at: 0 }
      assert.deepEqual(found, { ...artifact('a.png'), run: 'r' })
      assert.ok(at > 0)
    }),
    caseOf('a file of a nested run belongs to the whole run', async ({ artifacts, runs }) => {
      const inner = { ...settled(0, 0, madeFile('a.png')), path: '0.0/' }
      await runs.append('r', [started('r', AT), inner])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
    }),
    caseOf('finds the newest of several files with one name', async ({ artifacts, runs }) => {
      for (const run of ['r', 's']) {
        await runs.append(run, [started(run, AT), settled(0, 0, madeFile('a.png'))])
      }
      assert.equal((await artifacts.find('a.png'))?.run, 's')
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
    }),
    caseOf('removing a run removes its files from the index', async ({ artifacts, runs }) => {
      for (const run of ['r', 's']) {
        await runs.append(run, [started(run, AT), settled(0, 0, madeFile('a.png')), ended(AT)])
      }
      await runs.remove('s')
      assert.deepEqual(await artifacts.of('s'), [])
      assert.equal((await artifacts.find('a.png'))?.run, 'r')
    }),
    caseOf('changes by one reader do not affect the next', async ({ artifacts, runs }) => {
      await runs.append('r', [started('r', AT), settled(0, 0, madeFile('a.png'))])
      Object.assign(Object((await artifacts.of('r'))[0]), { name: 'changed' })
      const left = namesOf(await artifacts.of('r'))
      assert.deepEqual(left, ['a.png'], notCopied('of', 'file'))
    }),
  ]
}

const AT = 1_757_300_000_000

const artifact = (name: string): Artifact => ({
  name,
  path: `/tmp/${name}`,
  mediaType: 'image/png',
  bytes: 3,
  sha256: 'abc',
  image: { width: 1, height: 1, ink: 0.5 },
})

const madeFile = (name: string): ToolOutcome => ({
  type: 'ok',
  value: null,
  artifacts: [artifact(name)],
})

const settled = (seq: number, call: number, outcome: ToolOutcome): Entry => ({
  type: 'settled',
  path: '',
  seq,
  call,
  outcome,
})

const called = (seq: number, outcomes: readonly ToolOutcome[]): Entry => ({
  type: 'closed',
  path: '',
  seq,
  digest: 0,
  seen: { type: 'tools-called', outcomes },
  at: AT,
  spent: {},
})

const namesOf = (files: readonly { readonly name: string }[]): readonly string[] =>
  files.map(({ name }) => name)
