import assert from 'node:assert/strict'
import test from 'node:test'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import { createRedactor } from '../../core/redaction/redaction.ts'
import { safelyNamed } from './artifact-names.ts'

/** A store that keeps only the names. */
function naming(): { readonly store: ArtifactStore; readonly names: string[] } {
  const names: string[] = []
  const store: ArtifactStore = {
    write(name) {
      names.push(name)
      return Promise.resolve({ name, path: name, mediaType: '', bytes: 0, sha256: '' })
    },
  }
  return { store, names }
}

const NOTHING = new Uint8Array()

test('[DD-11] a file name with data that a log would hide is redacted before the file is written', async () => {
  const { store, names } = naming()
  const safe = safelyNamed(store, createRedactor())
  for (const name of [
    'ann@example.org.txt',
    'invoice 4111 1111 1111 1111.json',
    'to 0171 3920012.png',
    'ann@example.museum-of-art',
  ]) {
    await safe.write(name, NOTHING)
  }
  assert.deepEqual(names, [
    'redacted-email.txt',
    'invoice redacted-card.json',
    'to redacted-phone.png',
    'redacted-email',
  ])
})

test('any other name is unchanged', async () => {
  const { store, names } = naming()
  const safe = safelyNamed(store, createRedactor())
  const given = [
    'closing-price_2025-08-01_2025-09-12.png',
    '../../etc/passwd.txt',
    'a [b] c.json',
    '',
    '.png',
    'report.tar.gz',
  ]
  for (const name of given) await safe.write(name, NOTHING)
  assert.deepEqual(names, given)
  const open = naming()
  await safelyNamed(open.store, createRedactor(null)).write('ann@example.org.txt', NOTHING)
  assert.deepEqual(open.names, ['ann@example.org.txt'])
})
