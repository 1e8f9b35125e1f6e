/**
 * Preloaded into processes whose code is not trusted. Closes what Node's permission model leaves open: the
 * network, signals, priorities, users, flags of V8. Sockets and name servers are closed at the classes that
 * all of Node's own modules share, so that `http`, `tls`, `fetch` and what a later Node builds upon them are closed
 * with them. The classes are reached by no other way, since the model closes `process.binding`.
 *
 * It is no wall against code that runs outside JavaScript: a native addon, or a fault of V8.
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
  Object.assign(new Error('this is closed to a process whose code is not trusted'), {
    code: 'ERR_ACCESS_DENIED',
  })

function denied(): never {
  throw denial()
}

/** What a method of a handle says that the system refuses; Node makes an error event of it. */
const [EACCES = -1] = [...getSystemErrorMap()].find(([, [name]]) => name === 'EACCES') ?? []
const refused = (): number => EACCES

/** As what answers by its last argument fails. */
function answeredByDenial(...given: readonly unknown[]): void {
  const answer = given.at(-1)
  if (typeof answer !== 'function') throw denial()
  process.nextTick(answer, denial())
}

/** Puts it there for good: what holds an object can change what it holds otherwise. */
function put(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: false, configurable: false })
}

function close(target: object, ...names: readonly string[]): void {
  for (const name of names) if (name in target) put(target, name, denied)
}

/** Methods that a handle's class has of its own. Without its constructor nobody makes another. */
function closeHandle(handle: object, closes: (name: string) => boolean): void {
  const methods: object = Object.getPrototypeOf(handle)
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
    if (name === 'constructor') put(methods, name, denied)
    else if (typeof value === 'function' && closes(name)) put(methods, name, refused)
  }
}

/** What a socket connects with: the handle that it makes for an address of this kind. */
function handleFor(address: net.NetConnectOpts): object {
  const socket = new net.Socket()
  let made: object | undefined
  Object.defineProperty(socket, '_handle', {
    get: () => null,
    set(handle: object) {
      made = handle
      throw new Error('this is all that was wanted')
    },
  })
  try {
    socket.connect(address)
  } catch {
    // It must not go on.
  }
  if (made === undefined) throw new Error('sockets of this Node cannot be closed')
  return made
}

/** What nothing else in reach has: the state of a socket stands under a symbol of Node's. */
function datagramHandle(): object {
  const socket = dgram.createSocket('udp4')
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => Reflect.get(socket, symbol))
  const handle = states.find((state) => state?.handle !== undefined)?.handle
  if (handle === undefined) throw new Error('datagrams of this Node cannot be closed')
  socket.close()
  return handle
}

/** Pipes stay open otherwise: they carry what the process prints, and what it is asked. */
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
    put(dns, name, answeredByDenial)
    put(dns.promises, name, async () => denied())
  }
}

function closeProcess(): void {
  // `_debugProcess` has any Node of this user open its inspector, which is a way into it.
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

/** Certificates of the system are read past the permission model, from the files that the environment names. */
const closeCertificates = (): void => close(tls, 'getCACertificates')

closeNetwork()
closeProcess()
closeStores()
closeCertificates()
syncBuiltinESMExports()
