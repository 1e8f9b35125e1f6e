import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { createServer, hashToken, statusApi } from '@echelon/server'
import { fleetFigures } from '@echelon/fleet'
import { openStore } from '@echelon/store'
import { parseAllDocuments, parse } from 'yaml'
import { z } from 'zod'
import { runCommand } from '../../cli/src/testing/run-command.ts'

const FOLDER = join(import.meta.dirname, '../../examples/deploy')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

const words = z.array(z.string())

/** Checks that the command has all options of its words. */
async function assertKnown([command = '', ...rest]: readonly string[]): Promise<void> {
  const sub = command === 'state' ? rest.slice(0, 1) : []
  const { stdout } = await runCommand([command, ...sub, '--help'], FOLDER)
  const options = rest.filter((word) => word.startsWith('--'))
  for (const option of options) assert.match(stdout, new RegExp(`^ +${option} `, 'm'), option)
}

const secretKey = z.object({ name: z.string(), key: z.string() })

/** What Prometheus scrapes, and with which key of which secret. */
function monitored() {
  const endpoint = z.object({
    port: z.string(),
    path: z.literal('/metrics'),
    authorization: z.object({ type: z.literal('Bearer'), credentials: secretKey }),
  })
  const { spec } = z
    .looseObject({
      apiVersion: z.literal('monitoring.coreos.com/v1'),
      kind: z.literal('PodMonitor'),
      spec: z.object({
        selector: z.object({
          matchExpressions: z.tuple([
            z.object({ key: z.literal('app'), operator: z.literal('In'), values: words }),
          ]),
        }),
        podMetricsEndpoints: z.tuple([endpoint, endpoint]),
      }),
    })
    .parse(parse(read('pod-monitor.yaml')))
  const [first, second] = spec.podMetricsEndpoints
  assert.deepEqual(first.authorization, second.authorization)
  const [{ values: apps }] = spec.selector.matchExpressions
  const { credentials } = first.authorization
  return { apps, ports: [first.port, second.port], credentials }
}

suite('the examples of deployment', () => {
  test('the Compose file starts commands that exist, on one database', async () => {
    const service = z.looseObject({
      command: words.optional(),
      image: z.string(),
      depends_on: z.record(z.string(), z.unknown()).optional(),
      environment: z.record(z.string(), z.string()),
    })
    const file = z
      .looseObject({ services: z.record(z.string(), service), volumes: z.looseObject({}) })
      .parse(parse(read('compose.yaml'), { merge: true }))
    const { database, ...ours } = file.services
    assert.match(database?.image ?? '', /^postgres:\d+$/)
    const commands = Object.values(ours).map(({ command = [] }) => command)
    assert.deepEqual(
      commands.flatMap(([name = '']) => name).toSorted((a, b) => a.localeCompare(b)),
      ['serve', 'worker', 'worker'],
    )
    for (const command of commands) await assertKnown(command)
    const names = commands.flatMap((command) => command[command.indexOf('--name') + 1] ?? [])
    assert.equal(new Set(names).size, names.length, 'each worker has a name of its own')
    for (const { environment, depends_on: needs = {} } of Object.values(ours)) {
      const url = new URL(environment['ECHELON_DATABASE'] ?? '')
      assert.ok(url.hostname in needs && url.hostname in file.services)
      const { POSTGRES_USER: user, POSTGRES_DB: name } = database?.environment ?? {}
      assert.deepEqual([url.username, url.pathname], [user, `/${name}`])
    }
  })

  test('the Kubernetes example selects its own pods, and probes addresses that exist', async () => {
    const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) })
    const container = z.looseObject({
      image: z.string(),
      args: words,
      env: z.array(
        z.looseObject({
          name: z.string(),
          value: z.string().optional(),
          valueFrom: z.looseObject({ secretKeyRef: secretKey.optional() }).optional(),
        }),
      ),
      ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
      readinessProbe: probe.optional(),
      livenessProbe: probe.optional(),
    })
    const labels = z.record(z.string(), z.string())
    const workload = z.looseObject({
      kind: z.enum(['StatefulSet', 'Deployment']),
      apiVersion: z.literal('apps/v1'),
      spec: z.looseObject({
        selector: z.object({ matchLabels: labels }),
        serviceName: z.string().optional(),
        template: z.looseObject({
          metadata: z.looseObject({ labels }),
          spec: z.looseObject({
            containers: z.array(container),
            initContainers: z.array(container).optional(),
          }),
        }),
      }),
    })
    const service = z.looseObject({
      kind: z.literal('Service'),
      apiVersion: z.literal('v1'),
      metadata: z.looseObject({ name: z.string() }),
      spec: z.looseObject({
        selector: labels,
        ports: z.array(z.looseObject({ targetPort: z.string() })),
      }),
    })
    const documents = parseAllDocuments(read('kubernetes.yaml')).map((one) => {
      assert.deepEqual('errors' in one ? one.errors : [], [])
      const json: unknown = 'toJS' in one ? one.toJS() : undefined
      return z.union([workload, service]).parse(json)
    })
    const workloads = documents.filter((one) => one.kind !== 'Service')
    const services = documents.filter((one) => one.kind === 'Service')
    assert.deepEqual(
      workloads.map(({ kind }) => kind),
      ['StatefulSet', 'Deployment'],
    )
    const monitor = monitored()
    const store = await openStore(':memory:')
    const server = createServer({ agents: [], store, protocols: [statusApi] })
    for (const { spec } of workloads) {
      const { metadata, spec: pod } = spec.template
      assert.deepEqual(metadata.labels, spec.selector.matchLabels)
      const served = services.find(
        ({ spec: { selector } }) => selector['app'] === metadata.labels['app'],
      )
      assert.ok(served, 'a service selects these pods')
      if (spec.serviceName !== undefined) assert.equal(served.metadata.name, spec.serviceName)
      for (const one of [...pod.containers, ...(pod.initContainers ?? [])]) {
        await assertKnown(one.args)
        const ports = one.ports?.map(({ name }) => name) ?? []
        for (const each of [one.readinessProbe, one.livenessProbe]) {
          if (each === undefined) continue
          assert.ok(ports.includes(each.httpGet.port))
          assert.equal((await server.app.request(each.httpGet.path)).status, 200)
        }
      }
      for (const { image, env } of pod.containers) {
        const release = env.find(({ name }) => name === 'ECHELON_RELEASE')?.value
        assert.equal(image, `echelon:${release}`, 'the release is the tag of the image')
      }
      for (const { args } of pod.initContainers ?? [])
        assert.deepEqual(args, ['state', 'doctor'], 'no address is on a command line')
      assert.ok(monitor.apps.includes(metadata.labels['app'] ?? ''))
      assert.ok(monitor.ports.includes(pod.containers[0]?.ports?.[0]?.name ?? ''))
      const { name, key } = monitor.credentials
      assert.ok(
        pod.containers[0]?.env.some(
          (one) =>
            one.name === 'ECHELON_SERVER_TOKEN' &&
            one.valueFrom?.secretKeyRef?.name === name &&
            one.valueFrom.secretKeyRef.key === key,
        ),
        'Prometheus has the token of the pods',
      )
    }
    await server.stop()
    await store.close()
  })

  test('a server with a token serves its metrics to those who have it', async (t) => {
    const store = await openStore(':memory:')
    t.after(() => store.close())
    const token = 'a-token-of-an-operator'
    const tokens = [{ name: 'environment', sha256: hashToken(token), isOperator: true }]
    const { app } = createServer({ agents: [], store, protocols: [statusApi], tokens })
    assert.equal((await app.request('/metrics')).status, 401)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await app.request('/metrics', { headers })).status, 200)
  })

  test('every metric of the dashboard is served', async (t) => {
    const panels = z
      .looseObject({
        panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })),
      })
      .parse(JSON.parse(read('grafana-dashboard.json')))
    const expressions = panels.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const named = new Set(expressions.flatMap((expr) => expr.match(/echelon_\w+/g) ?? []))
    const store = await openStore(':memory:')
    // Nothing is read from it: a figure is served by its name even while its database is gone.
    const figures = fleetFigures('postgres://nobody@127.0.0.1:1/nothing')
    t.after(async () => {
      await figures.close()
      await store.close()
    })
    const { app } = createServer({
      agents: [],
      store,
      figures: [...figures.list, figures.recovered(() => 0)],
    })
    const text = await (await app.request('/metrics')).text()
    const served = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    assert.ok(named.size >= 10)
    assert.deepEqual(
      [...named].filter((name) => !served.has(name)),
      [],
    )
  })
})
