import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { HttpProblem } from './problem.ts'
import { fetchedFiles, sentFile } from './sent-file.ts'

test('a data URL is a file, with or without parameters', () => {
  const file = { name: 'a.txt', mediaType: 'text/plain', data: 'aGk=' }
  for (const head of ['data:text/plain', 'data:text/plain;charset=utf-8', 'DATA:Text/Plain']) {
    assert.deepEqual(sentFile(`${head};base64,aGk=`, 'a.txt'), file)
  }
})

const refusal = (file: unknown): string => (typeof file === 'string' ? file : 'taken')

test('anything else is refused with what to do', () => {
  for (const url of ['data:text/plain,hi', 'file:///etc/passwd', 'data:;base64,aGk=', '']) {
    assert.match(refusal(sentFile(url, null)), /base64,<data>/)
  }
  for (const data of ['aGk', 'a$==', '', '====']) {
    assert.match(refusal(sentFile(`data:text/plain;base64,${data}`, null)), /not base64/)
  }
  assert.match(refusal(sentFile(`https://example.com/${'a'.repeat(2000)}`, null)), /too long/)
})

test('an address is fetched if it may be reached', async (t) => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/a.txt' ? 200 : 404
    response.setHeader('content-type', 'Text/Plain; charset=utf-8')
    response.end('hi')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address !== 'string')
  const url = `http://127.0.0.1:${address.port}/a.txt`
  const file = sentFile(url, 'a.txt')
  assert.ok(typeof file !== 'string')
  const reaching = { mayReach: () => true }
  const fetched = { name: 'a.txt', mediaType: 'text/plain', data: 'aGk=' }
  assert.deepEqual(await fetchedFiles([file], reaching), [fetched])
  await assert.rejects(fetchedFiles([file]), HttpProblem)
  await assert.rejects(
    fetchedFiles([{ name: null, url: `${url}.gone` }], reaching),
    (error) => error instanceof HttpProblem && /status 404/.test(error.message),
  )
  await assert.rejects(
    fetchedFiles(
      Array.from({ length: 9 }, () => file),
      reaching,
    ),
    /at most 8/,
  )
})
