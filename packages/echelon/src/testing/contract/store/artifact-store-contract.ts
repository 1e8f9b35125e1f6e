import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute } from 'node:path'
import type { Artifact, ArtifactStore } from '../../../core/tool/artifact.ts'
import { ToolError } from '../../../core/tool/tool.ts'
import { casesOf, type ContractCase } from '../../contract.ts'

/** Inputs that a store must reject beyond the common rules, and its current content. */
export interface ArtifactStoreTrial {
  /** Names, or names with contents, that this store rejects. */
  readonly refuses: readonly { readonly name: string; readonly content?: Uint8Array }[]
  /** The current number of files in its folder. */
  readonly count: (store: ArtifactStore) => number | Promise<number>
}

/**
 * The requirements of every `ArtifactStore`: `for (const { name, holds } of
 * artifactStoreContract(open)) test(name, holds)`.
 * @param open a store with an empty folder for each case, which accepts `.txt` and `.png`
 */
export function artifactStoreContract(
  open: () => ArtifactStore | Promise<ArtifactStore>,
  trial?: ArtifactStoreTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a file is at the returned place, with the written content', async (store) => {
      for (const content of [bytes('hello'), bytes(''), bytes('ä😀')]) {
        const { path } = await store.write('notes.txt', content)
        assert.ok(isAbsolute(path))
        assert.deepEqual(new Uint8Array(await readFile(path)), content)
      }
    }),
    caseOf('the returned facts match the file', async (store) => {
      const content = bytes('hello')
      const { name, path, bytes: length, sha256 } = await store.write('notes.txt', content)
      const digest = createHash('sha256').update(content).digest('hex')
      assert.deepEqual([name, length, sha256], [basename(path), 5, digest])
    }),
    caseOf('the media type follows the content, whatever the name', async (store) => {
      const { mediaType, image } = await store.write('plot.png', bytes('no image'))
      assert.doesNotMatch(mediaType, /^image\//)
      assert.equal(image, undefined)
    }),
    caseOf('nothing is written outside the folder', async (store) => {
      const home = dirname((await store.write('notes.txt', bytes('here'))).path)
      for (const name of ['../../out.txt', '/tmp/out.txt', 'a/../../out.txt', '..\\out.txt']) {
        const kept = await attempt(store, name, bytes('out'))
        if (kept !== undefined) assert.equal(dirname(kept.path), home, name)
      }
    }),
    caseOf(
      'files with one name and different contents do not overwrite each other',
      async (store) => {
        const contents = ['one', 'two', 'three'].map(bytes)
        const kept = await Promise.all(contents.map((content) => store.write('same.txt', content)))
        for (const [nth, { path }] of kept.entries()) {
          assert.deepEqual(new Uint8Array(await readFile(path)), contents[nth])
        }
      },
    ),
    ...(trial?.refuses ?? []).map(({ name, content = bytes('x') }) =>
      caseOf(`${JSON.stringify(name)} is refused with a code and leaves nothing`, async (store) => {
        assert.equal(await attempt(store, name, content), undefined)
        assert.equal(await trial?.count(store), 0)
      }),
    ),
  ]
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The stored file; undefined if it was correctly refused. */
async function attempt(
  store: ArtifactStore,
  name: string,
  content: Uint8Array,
): Promise<Artifact | undefined> {
  try {
    return await store.write(name, content)
  } catch (error) {
    assert.ok(error instanceof ToolError, `a refusal is a ToolError, not ${String(error)}`)
    return undefined
  }
}
