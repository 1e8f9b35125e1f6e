import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optionalPackage } from './optional-package.ts'

const load = async (name: string): Promise<unknown> => await import(name)

test('returns an installed package', async () => {
  const module = await optionalPackage('fast-check@4', () => import('fast-check'))
  assert.equal(typeof module.assert, 'function')
})

test('reports a missing package in one sentence with the command to run', async () => {
  const name = '@echelon/never-published'
  await assert.rejects(async () => await optionalPackage(`${name}@3`, () => load(name)), {
    name: 'EchelonError',
    code: 'MISSING_PACKAGE',
    message: `${name} is not installed; run: npm install ${name}@3`,
    details: { package: name, command: `npm install ${name}@3` },
  })
})

test('names packages together that are needed together', async () => {
  const install = 'zod@4 never-published@1'
  await assert.rejects(async () => await optionalPackage(install, () => load('never-published')), {
    message: `never-published is not installed; run: npm install ${install}`,
  })
})

test("names a package's missing dependency instead of the package", async () => {
  await assert.rejects(
    async () => await optionalPackage('fast-check@4', () => load('never-published-peer')),
    { code: 'MISSING_PACKAGE', message: /run: npm install never-published-peer$/ },
  )
})

test("does not report a missing file or a package's own error as a missing package", async () => {
  await assert.rejects(async () => await optionalPackage('x@1', () => load('./no-such-file.ts')), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const broken = new TypeError('broken inside')
  await assert.rejects(
    async () => await optionalPackage('x@1', () => Promise.reject(broken)),
    broken,
  )
})
