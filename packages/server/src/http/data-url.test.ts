import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileOfDataUrl } from './data-url.ts'

test('a data URL is a file, with or without parameters', () => {
  const file = { name: 'a.txt', mediaType: 'text/plain', data: 'aGk=' }
  for (const head of ['data:text/plain', 'data:text/plain;charset=utf-8', 'DATA:Text/Plain']) {
    assert.deepEqual(fileOfDataUrl(`${head};base64,aGk=`, 'a.txt'), file)
  }
})

const refusal = (file: unknown): string => (typeof file === 'string' ? file : 'taken')

test('anything else is refused with what to do, and nothing is fetched', () => {
  assert.match(refusal(fileOfDataUrl('https://example.com/a.png', null)), /send a data: URL/)
  for (const url of ['data:text/plain,hi', 'file:///etc/passwd', 'data:;base64,aGk=', '']) {
    assert.match(refusal(fileOfDataUrl(url, null)), /base64,<data>/)
  }
  for (const data of ['aGk', 'a$==', '', '====']) {
    assert.match(refusal(fileOfDataUrl(`data:text/plain;base64,${data}`, null)), /not base64/)
  }
})
