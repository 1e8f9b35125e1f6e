/*
 * Attempts to escape from a sandbox. Each is called with its target, and throws if it is blocked. The file
 * imports nothing, since it is copied into skills and loaded by isolates.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const v8 = require('node:v8')

/** Resolves when a socket does what it should not. */
const reached = (open, event) =>
  new Promise((resolve, reject) => {
    const socket = open()
    socket.on('error', reject)
    socket.on(event, () => {
      resolve(event)
      socket.destroy?.()
      socket.close?.()
    })
  })

const connect = (...to) => reached(() => net.connect(...to), 'connect')

/** Runs long enough to be optimized, which is when V8 writes what its flags ask for. */
function work() {
  let sum = 0
  for (let index = 0; index < 1e6; index++) sum += index % 7
  return sum
}

export const attempts = {
  // Stores and files.
  'open a store by node:sqlite': ({ store }) =>
    new (require('node:sqlite').DatabaseSync)(store).prepare('select * from kept').all(),
  'open a store by an imported sqlite': async ({ store }) =>
    new (await import('node:sqlite')).DatabaseSync(store),
  'open a store by getBuiltinModule': ({ store }) =>
    new (process.getBuiltinModule('node:sqlite').DatabaseSync)(store),
  'write a store of its own': ({ out }) =>
    new (require('node:sqlite').DatabaseSync)(path.join(out, 'own.db')).exec('create table x (y)'),
  'read a file': ({ secret }) => fs.readFileSync(secret, 'utf8'),
  'read it by a promise': ({ secret }) => fs.promises.readFile(secret, 'utf8'),
  'read it by a stream': ({ secret }) => reached(() => fs.createReadStream(secret), 'data'),
  'read it through dots': ({ secret, here }) =>
    fs.readFileSync(path.join(here, '.') + path.sep + path.relative(here, secret)),
  'read it by bytes': ({ secret }) => fs.readFileSync(Buffer.from(secret)),
  'read it by its address': ({ secret }) => fs.readFileSync(new URL(`file://${secret}`)),
  'read it by a descriptor': ({ secret }) => fs.openSync(secret, 'r'),
  'read it as a blob': ({ secret }) => fs.openAsBlob(secret),
  'read its size': ({ secret }) => fs.statSync(secret).size,
  'read where it leads': ({ secret }) => fs.readlinkSync(path.join(path.dirname(secret), 'link')),
  'watch it': ({ secret }) => fs.watch(secret).close(),
  'require it': ({ secret }) => asked(() => require(secret)),
  'import it': ({ secret }) => asked(() => import(`file://${secret}`)),
  'load it as an environment': ({ secret }) => process.loadEnvFile(secret),
  'copy it': ({ secret, out }) => fs.copyFileSync(secret, path.join(out, 'copied')),
  'list its folder': ({ secret }) => fs.readdirSync(path.dirname(secret)),
  'read certificates that the environment names': ({ secret }) =>
    certified(require('node:tls'), 'SSL_CERT_FILE', secret),
  'read certificates of a folder': ({ secret }) =>
    certified(require('node:tls'), 'SSL_CERT_DIR', path.dirname(secret)),
  'read certificates by an imported tls': async ({ secret }) =>
    certified(await import('node:tls'), 'SSL_CERT_FILE', secret),
  'find it': ({ secret }) => nothing(fs.globSync(`${path.dirname(secret)}/*`)),
  'read the environment of the parent': ({ parent }) =>
    fs.readFileSync(`/proc/${parent}/environ`, 'utf8'),
  'read its own environment': ({ known }) =>
    nothing(Object.keys(process.env).filter((name) => !known.includes(name))),
  'write a file': ({ out }) => fs.writeFileSync(path.join(out, 'written'), ''),
  'write beside itself': ({ here }) => fs.writeFileSync(path.join(here, 'written'), ''),
  'append to a file': ({ secret }) => fs.appendFileSync(secret, 'x'),
  'remove a file': ({ secret }) => fs.rmSync(secret),
  'rename a file': ({ secret, out }) => fs.renameSync(secret, path.join(out, 'renamed')),
  'change its mode': ({ secret }) => fs.chmodSync(secret, 0o777),
  'change its times': ({ secret }) => fs.utimesSync(secret, 1, 1),
  'make a folder': ({ out }) => fs.mkdtempSync(path.join(out, 'made')),
  'make a symbolic link': ({ here }) => fs.symlinkSync('/', path.join(here, 'root')),
  'make a hard link': ({ secret, here }) => fs.linkSync(secret, path.join(here, 'linked')),
  'change the mode of what is open': () => fs.fchmodSync(1, 0o777),
  'change the owner of what is open': () => fs.fchownSync(1, 0, 0),
  'change the times of what is open': () => fs.futimesSync(1, 1, 1),
  'leave its folder': () => process.chdir('/'),
  'write a history of commands': ({ out }) => writesFile(path.join(out, 'history'), historyOf),
  'write a report': ({ out }) => process.report.writeReport(path.join(out, 'report.json')),
  'write a snapshot of the heap': ({ out }) =>
    v8.writeHeapSnapshot(path.join(out, 'x.heapsnapshot')),
  'write a snapshot near the limit': () => v8.setHeapSnapshotNearHeapLimit(1),
  'write a trace': ({ out }) => {
    const tracing = require('node:trace_events').createTracing({ categories: ['v8'] })
    // It writes into the current folder.
    process.chdir(out)
    tracing.enable()
  },
  'write compiled code': ({ out }) => {
    const { directory } = require('node:module').enableCompileCache(path.join(out, 'compiled'))
    return something(directory)
  },
  'write by a flag of V8': ({ out }) => {
    v8.setFlagsFromString(`--trace-turbo-path=${out}`)
    // It writes one file beside them, into the current folder unless told.
    v8.setFlagsFromString(`--trace-turbo-cfg-file=${path.join(out, 'turbo.cfg')}`)
    v8.setFlagsFromString('--trace-turbo')
    return work()
  },

  // Processes.
  'start a process': () => something(require('node:child_process').spawnSync('/bin/true').pid),
  'fork itself': () => require('node:child_process').fork(import.meta.filename),
  'become another program': () => process.execve('/bin/true', ['true'], {}),
  'start a test run': async () => {
    for await (const { type } of require('node:test').run({ files: [import.meta.filename] })) {
      if (type === 'test:pass') return type
    }
    throw new Error('nothing ran')
  },
  'start a worker': () => new (require('node:worker_threads').Worker)('', { eval: true }),
  'start a worker with flags of its own': () =>
    new (require('node:worker_threads').Worker)('', { eval: true, execArgv: [], env: {} }),
  'register hooks in a thread': () => require('node:module').register('data:text/javascript,'),
  'load an addon': ({ secret }) => asked(() => process.dlopen({ exports: {} }, secret)),
  'ask for a binding': () => process.binding('fs'),
  'ask for a linked binding': () => asked(() => process._linkedBinding('fs')),
  'ask for sockets by a binding': () => process.binding('tcp_wrap'),
  'open the inspector': () => {
    const inspector = require('node:inspector')
    inspector.open(0)
    return something(inspector.url())
  },
  'inspect itself': () => new (require('node:inspector').Session)().connect(),
  'load a WASI': () =>
    new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }),
  'use what V8 hides': () => {
    v8.setFlagsFromString('--allow-natives-syntax')
    return work()
  },
  'signal another process': ({ victim }) => process.kill(victim, 'SIGTERM'),
  'signal it by what kill calls': ({ victim }) => something(process._kill(victim, 15) === 0),
  'signal its own group': () => process.kill(0, 0),
  'look whether the parent lives': () => process.kill(process.ppid, 0),
  'open the inspector of another process': ({ victim }) => process._debugProcess(victim),
  'slow down another process': ({ victim }) => os.setPriority(victim, 19),
  'become another user': () => process.setuid(65534),
  'change its groups': () => process.setgroups([]),
  'put back what was closed': ({ port }) => {
    const methods = Object.getPrototypeOf(handleOf(port))
    return something(delete methods.connect && !Object.hasOwn(methods, 'connect'))
  },

  // The network.
  'connect to an address': ({ port }) => connect(port, '127.0.0.1'),
  'connect to an address of IPv6': ({ port }) => connect(port, '::1'),
  'connect to a name': ({ port }) => connect(port, 'localhost'),
  'connect with a lookup of its own': ({ port }) =>
    connect({
      port,
      host: 'x.example',
      autoSelectFamily: false,
      lookup: (_name, _options, answer) => answer(null, '127.0.0.1', 4),
    }),
  'connect to a socket in the file system': ({ socket }) => connect(socket),
  'connect to an abstract socket': ({ abstract }) => connect(`\0${abstract}`),
  'connect by TLS': ({ port }) =>
    reached(() => require('node:tls').connect(port, '127.0.0.1'), 'connect'),
  'connect by HTTP': ({ port }) =>
    reached(() => require('node:http').get(`http://127.0.0.1:${port}/`), 'finish'),
  'connect by HTTP/2': ({ port }) =>
    reached(() => require('node:http2').connect(`http://127.0.0.1:${port}`), 'connect'),
  'connect by fetch': ({ port }) => fetch(`http://127.0.0.1:${port}/`),
  'connect by a web socket': ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('not open')))
    }),
  'connect by a raw handle': ({ port }) => {
    const { constructor: Handle } = Object.getPrototypeOf(handleOf(port))
    return something(new Handle(0).bind('127.0.0.1', 0) === 0)
  },
  'send a datagram': ({ datagrams }) =>
    new Promise((resolve, reject) => {
      const socket = require('node:dgram').createSocket('udp4')
      socket.on('error', reject)
      socket.send('x', datagrams, '127.0.0.1', (error) => (error ? reject(error) : resolve()))
    }),
  'send a connected datagram': ({ datagrams }) =>
    new Promise((resolve, reject) => {
      const socket = require('node:dgram').createSocket('udp4')
      socket.on('error', reject)
      socket.connect(datagrams, '127.0.0.1', () => socket.send('x', resolve))
    }),
  'ask a name server': ({ datagrams }) =>
    new Promise((resolve, reject) => {
      const resolver = new (require('node:dns').Resolver)({ timeout: 200, tries: 1 })
      resolver.setServers([`127.0.0.1:${datagrams}`])
      resolver.resolve4('secret.example', (error) => (error ? reject(error) : resolve()))
    }),
  'look up a name': () => require('node:dns').promises.lookup('localhost'),
  'look up a name by an answer': () =>
    new Promise((resolve, reject) => {
      require('node:dns').lookup('localhost', (error) => (error ? reject(error) : resolve()))
    }),
  'look up an address': () => require('node:dns').promises.lookupService('127.0.0.1', 80),
  listen: () => reached(() => net.createServer().listen(0), 'listening'),
  'listen on a socket in the file system': ({ out }) =>
    reached(() => net.createServer().listen(path.join(out, 'socket')), 'listening'),
  'listen for datagrams': () =>
    reached(() => require('node:dgram').createSocket('udp4').bind(0), 'listening'),
}

/**
 * Whether a path is there, which the permission model tells without any reading. Only a wall of the system
 * that does not show the path holds it.
 */
export const probes = {
  'resolve it': ({ secret }) => require.resolve(secret),
  'ask the loader of modules for it': ({ secret }) =>
    something(require('node:module')._stat(secret) === 0),
  'have the loader look for it': ({ secret }) =>
    something(require('node:module')._findPath(secret, null)),
  'find the package that it is in': ({ secret }) =>
    require('node:module').findPackageJSON(`file://${secret}`),
  'ask for its real path': ({ secret }) => fs.realpathSync(secret),
}

/** An empty result means that the attempt was blocked. */
function something(value) {
  if (value) return value
  throw new Error('nothing came of it')
}

/** A refusal has its own error; any other failure means that the attempt got through. */
async function asked(load) {
  try {
    return await load()
  } catch (error) {
    const { code } = error
    if (HELD.includes(code)) throw error
    return code
  }
}

const HELD = [
  'ERR_ACCESS_DENIED',
  'ERR_DLOPEN_DISABLED',
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
]

/** They are read where the environment says; how many there are does not matter. */
function certified({ getCACertificates }, name, where) {
  process.env[name] = where
  try {
    return getCACertificates('system').length
  } finally {
    delete process.env[name]
  }
}

const nothing = (found) => something(found.length > 0) && found

function handleOf(port) {
  const socket = new net.Socket()
  socket.on('error', () => {})
  socket.connect(port, '127.0.0.1')
  return something(socket._handle)
}

const historyOf = (file) =>
  new Promise((resolve) => {
    const { PassThrough } = require('node:stream')
    const server = require('node:repl').start({
      input: new PassThrough(),
      output: new PassThrough(),
    })
    server.setupHistory(file, () => {
      server.close()
      resolve()
    })
  })

async function writesFile(file, write) {
  await write(file)
  return fs.readFileSync(file)
}

const MOST_MS = 500

/** The result of each attempt; nothing if it was blocked. */
export async function tryAll(target, names, all = attempts) {
  process.on('uncaughtException', () => {})
  const through = {}
  for (const [name, attempt] of Object.entries(all)) {
    if (names !== undefined && !names.includes(name)) continue
    try {
      const late = new Promise((_resolve, reject) => setTimeout(reject, MOST_MS, new Error('late')))
      through[name] = String(await Promise.race([(async () => attempt(target))(), late]))
    } catch {
      // Held.
    }
  }
  return through
}
