/**
 * Preloaded into processes that run untrusted code. Blocks what Node's permission model leaves
 * open: the network, signals, priorities, users, V8 flags. Sockets and name resolution are blocked
 * at the classes shared by all of Node's modules, so that `http`, `tls`, `fetch` and later
 * additions are blocked too. The classes cannot be reached another way, since the permission model
 * blocks `process.binding`.
 * This does not protect against code outside JavaScript: native addons or V8 bugs.
 */
import { ChildProcess } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import tls from 'node:tls'
import { getSystemErrorMap } from 'node:util'
import v8 from 'node:v8'

const denial = (): Error =>
  Object.assign(new Error('this is blocked for untrusted code'), {
    code: 'ERR_ACCESS_DENIED',
  })

function denied(): never {
  throw denial()
}

/**
 * The error number of a handle method that the system refuses; Node turns it into an error event.
 */
const [EACCES = -1] = [...getSystemErrorMap()].find(([, [name]]) => name === 'EACCES') ?? []
const refused = (): number => EACCES

/** Passes the denial to a callback in the last argument. */
function denyByCallback(...given: readonly unknown[]): void {
  const answer = given.at(-1)
  if (typeof answer !== 'function') throw denial()
  process.nextTick(answer, denial())
}

/** Defines a property permanently: otherwise any holder of the object could change it. */
function define(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: false, configurable: false })
}

function close(target: object, ...names: readonly string[]): void {
  for (const name of names) if (name in target) define(target, name, denied)
}

/**
 * Blocks methods of a handle's class, and its constructor, so that no other handle can be created.
 */
function closeHandle(handle: object, closes: (name: string) => boolean): void {
  const methods: object = Object.getPrototypeOf(handle)
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
    if (name === 'constructor') define(methods, name, denied)
    else if (typeof value === 'function' && closes(name)) define(methods, name, refused)
  }
}

/** The handle that a socket creates for an address of this kind. */
function handleFor(address: net.NetConnectOpts): object {
  const socket = new net.Socket()
  let captured: object | undefined
  Object.defineProperty(socket, '_handle', {
    get: () => null,
    set(handle: object) {
      captured = handle
      throw new Error('the handle is captured')
    },
  })
  try {
    socket.connect(address)
  } catch {
    // Stops the connection attempt.
  }
  if (captured === undefined) throw new Error('sockets of this Node cannot be closed')
  return captured
}

/** Found through a symbol of the socket, which other code does not reach. */
function datagramHandle(): object {
  const socket = dgram.createSocket('udp4')
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => Reflect.get(socket, symbol))
  const handle = states.find((state) => state?.handle !== undefined)?.handle
  if (handle === undefined) throw new Error('datagrams of this Node cannot be closed')
  socket.close()
  return handle
}

/** Pipes otherwise stay open, since they carry the process's input and output. */
const SOCKETS = ['connect', 'connect6', 'bind', 'bind6', 'listen', 'fchmod']
const HARMLESS = ['close', 'hasRef', 'ref', 'unref', 'getAsyncId', 'getProviderType', 'cancel']

const isOfSockets = (name: string): boolean => SOCKETS.includes(name)
const isOfUse = (name: string): boolean => !HARMLESS.includes(name)

function closeNetwork(): void {
  closeHandle(handleFor({ port: 1, host: '127.0.0.1' }), isOfSockets)
  closeHandle(handleFor({ path: '/' }), isOfSockets)
  closeHandle(datagramHandle(), isOfUse)
  closeHandle(Reflect.get(new dns.Resolver(), '_handle'), isOfUse)
  for (const name of ['lookup', 'lookupService']) {
    define(dns, name, denyByCallback)
    define(dns.promises, name, async () => denied())
  }
}

function closeProcess(): void {
  // `_debugProcess` makes any Node process of this user open its inspector.
  close(process, 'kill', '_kill', '_debugProcess', '_debugEnd')
  close(process, 'setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups')
  closeHandle(Reflect.get(new ChildProcess(), '_handle'), (name) => name === 'kill')
  close(os, 'setPriority')
  close(v8, 'setFlagsFromString')
}

function closeStores(): void {
  const sqlite: object | undefined = process.getBuiltinModule('node:sqlite')
  if (sqlite !== undefined) close(sqlite, ...Object.keys(sqlite))
}

/**
 * System certificates are read outside the permission model, from files named in the environment.
 */
const closeCertificates = (): void => close(tls, 'getCACertificates')

closeNetwork()
closeProcess()
closeStores()
closeCertificates()
syncBuiltinESMExports()
