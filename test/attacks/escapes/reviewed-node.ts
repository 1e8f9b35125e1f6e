/*
 * The parts of Node that were reviewed for whether untrusted code can leave its process through them. A
 * name missing here came with a newer Node. Try it from a script and from an isolate (`attempts.mjs`),
 * close it (`packages/echelon/src/platform/wall/`) if it leads out, and add it.
 */

/** Modules that the permission model closes unless they are allowed. */
export const HELD_BY_NODE: readonly string[] = `
  child_process cluster fs fs/promises inspector inspector/promises test test/reporters
  trace_events wasi worker_threads`
  .trim()
  .split(/\s+/)

/** Modules that lead out, in whole or in part, and are closed by flags or by `closed-builtins.ts`. */
export const CLOSED_HERE: readonly string[] = `
  _http_agent _http_client _http_server _tls_common _tls_wrap dgram dns dns/promises http http2
  https module net os process sqlite tls v8`
  .trim()
  .split(/\s+/)

/** Modules that reach outside their process only through one of the others. */
export const INSIDE: readonly string[] = `
  _http_common _http_incoming _http_outgoing _stream_duplex _stream_passthrough _stream_readable
  _stream_transform _stream_wrap _stream_writable assert assert/strict async_hooks buffer console
  constants crypto diagnostics_channel domain events path path/posix path/win32 perf_hooks
  punycode querystring readline readline/promises repl sea stream stream/consumers
  stream/promises stream/web string_decoder sys timers timers/promises tty url util util/types vm
  zlib`
  .trim()
  .split(/\s+/)

/** Names of `process`. */
export const OF_PROCESS: readonly string[] = `
  _debugEnd _debugProcess _eval _events _eventsCount _exiting _fatalException _getActiveHandles
  _getActiveRequests _kill _linkedBinding _maxListeners _preload_modules _rawDebug
  _startProfilerIdleNotifier _stopProfilerIdleNotifier _tickCallback abort
  allowedNodeEnvironmentFlags arch argv argv0 availableMemory binding chdir config
  constrainedMemory constructor cpuUsage cwd debugPort dlopen domain emitWarning env execArgv
  execPath execve exit exitCode features finalization getActiveResourcesInfo getBuiltinModule
  getegid geteuid getgid getgroups getuid hasUncaughtExceptionCaptureCallback hrtime initgroups
  kill loadEnvFile memoryUsage moduleLoadList nextTick openStdin pid platform ppid reallyExit ref
  release report resourceUsage setSourceMapsEnabled setUncaughtExceptionCaptureCallback setegid
  seteuid setgid setgroups setuid sourceMapsEnabled stderr stdin stdout threadCpuUsage title
  umask unref uptime version versions`
  .trim()
  .split(/\s+/)

/** Names of the global object. */
export const OF_GLOBAL: readonly string[] = `
  AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack Atomics
  BigInt BigInt64Array BigUint64Array Blob Boolean BroadcastChannel Buffer
  ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy Crypto CryptoKey
  CustomEvent DOMException DataView Date DecompressionStream DisposableStack Error EvalError
  Event EventTarget File FinalizationRegistry Float16Array Float32Array Float64Array FormData
  Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math
  MessageChannel MessageEvent MessagePort NaN Navigator Number Object Performance
  PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver
  PerformanceObserverEntryList PerformanceResourceTiming Promise Proxy RangeError
  ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest
  ReadableStreamDefaultController ReadableStreamDefaultReader ReferenceError Reflect RegExp
  Request Response Set SharedArrayBuffer String SubtleCrypto SuppressedError Symbol SyntaxError
  TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream
  TransformStreamDefaultController TypeError URIError URL URLPattern URLSearchParams Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket
  WritableStream WritableStreamDefaultController WritableStreamDefaultWriter atob btoa
  clearImmediate clearInterval clearTimeout decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval fetch global globalThis isFinite isNaN navigator node:sea
  node:sqlite node:test parseFloat parseInt performance queueMicrotask setImmediate setInterval
  setTimeout structuredClone undefined unescape`
  .trim()
  .split(/\s+/)

/** Names of `node:v8`. */
export const OF_V8: readonly string[] = `
  DefaultDeserializer DefaultSerializer Deserializer GCProfiler Serializer cachedDataVersionTag
  deserialize getCppHeapStatistics getHeapCodeStatistics getHeapSnapshot getHeapSpaceStatistics
  getHeapStatistics isStringOneByteRepresentation promiseHooks queryObjects serialize
  setFlagsFromString setHeapSnapshotNearHeapLimit startCpuProfile startupSnapshot stopCoverage
  takeCoverage writeHeapSnapshot`
  .trim()
  .split(/\s+/)

/** Names of `node:os`. */
export const OF_OS: readonly string[] = `
  EOL arch availableParallelism constants cpus devNull endianness freemem getPriority homedir
  hostname loadavg machine networkInterfaces platform release setPriority tmpdir totalmem type
  uptime userInfo version`
  .trim()
  .split(/\s+/)

/** Names of `node:module`. */
export const OF_MODULE: readonly string[] = `
  Module SourceMap _cache _debug _extensions _findPath _initPaths _load _nodeModulePaths
  _pathCache _preloadModules _readPackage _resolveFilename _resolveLookupPaths _stat
  builtinModules constants createRequire enableCompileCache findPackageJSON findSourceMap
  flushCompileCache getCompileCacheDir getSourceMapsSupport globalPaths isBuiltin length name
  prototype register registerHooks runMain setSourceMapsSupport stripTypeScriptTypes
  syncBuiltinESMExports wrap wrapper`
  .trim()
  .split(/\s+/)

/** Names of `node:worker_threads`. */
export const OF_THREADS: readonly string[] = `
  BroadcastChannel MessageChannel MessagePort SHARE_ENV Worker getEnvironmentData
  isInternalThread isMainThread isMarkedAsUntransferable locks markAsUncloneable
  markAsUntransferable moveMessagePortToContext parentPort postMessageToThread
  receiveMessageOnPort resourceLimits setEnvironmentData threadId threadName workerData`
  .trim()
  .split(/\s+/)
