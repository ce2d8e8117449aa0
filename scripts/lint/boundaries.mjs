import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { ROOT } from '../lib/steps.mjs'
import { ARROWS_UP, CAPABILITIES, FORBIDDEN_IMPORTS, READERS, READERS_OF_ONE_NODE } from './architecture.mjs'
import { connectionBreaches } from './connections.mjs'

const SOURCES = ['packages/api-schema', 'packages/rules', 'packages/solvency', 'apps/server', 'apps/web'].map(
  (workspace) => `${workspace}/src`,
)
const EXEMPT = /\.(test|test-d|fixture|gen)\.tsx?$|\/(testing|generated)\//

/** The only helpers that open transactions. */
const TRANSACTIONS = ['apps/server/src/db/database.ts', 'apps/server/src/db/cut.ts']
/** Methods of Kysely whose first argument names one table or several. */
const TABLE_METHODS = /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|\w+Join|table)$/
const TABLE_IN_SQL = /\b(?:from|join|update|into|table|truncate|copy|using)\s+(?:only\s+)?([a-z_]+)/gi

/**
 * Returns the sources below a root, each with the files and packages it imports, the words that may name tables, how it
 * takes a second connection, and whether it reads from one node alone.
 */
export function readSources(root) {
  return SOURCES.flatMap((dir) => filesBelow(root, dir))
    .filter((path) => /\.tsx?$/.test(path) && !EXEMPT.test(path))
    .map((path) => ({ path, ...parse(path, readFileSync(join(root, path), 'utf8')) }))
}

function filesBelow(root, dir) {
  return readdirSync(join(root, dir), { recursive: true }).map((name) => `${dir}/${name}`)
}

function parse(path, text) {
  const imports = new Set()
  const tables = new Set()
  const addImport = (source) => {
    const name = source?.value
    if (typeof name === 'string') imports.add(name.startsWith('.') ? join(dirname(path), name) : name)
  }
  const addSql = (sql) => {
    for (const [, table] of sql.matchAll(TABLE_IN_SQL)) tables.add(table.toLowerCase())
  }
  const addNames = (argument) => {
    for (const { value } of argument?.type === 'ArrayExpression' ? argument.elements : [argument ?? {}]) {
      if (typeof value === 'string') tables.add(value.split(' ')[0])
    }
  }
  let readsOneNode = false
  const noteName = ({ name }) => {
    if (name === 'untrustedClient') readsOneNode = true
  }
  const { program, module } = parseSync(path, text)
  new Visitor({
    ImportDeclaration: ({ source }) => addImport(source),
    ExportNamedDeclaration: ({ source }) => addImport(source),
    ExportAllDeclaration: ({ source }) => addImport(source),
    ImportExpression: ({ source }) => addImport(source),
    TSImportType: ({ source }) => addImport(source),
    Identifier: noteName,
    Literal: ({ value }) => noteName({ name: value }),
    TemplateElement: ({ value }) => addSql(value.cooked ?? value.raw),
    CallExpression({ callee, arguments: [first] }) {
      if (TABLE_METHODS.test(callee.property?.name ?? '')) addNames(first)
    },
  }).visit(program)
  const isServer = path.startsWith('apps/server/src/') && !TRANSACTIONS.includes(path)
  const connections = isServer ? connectionBreaches(program) : []
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, exportName }) => (moduleRequest ? [] : (exportName.name ?? [])))
  return { imports: [...imports], tables: [...tables], connections, readsOneNode, exports: new Set(exports) }
}

/** The capability of a server file, or its directory below `apps/server/src` outside the capabilities; undefined elsewhere. */
function ownerOf(path) {
  const [, dir, capability] = /^apps\/server\/src\/(?:(\w+)\/)?(?:([\w-]+)\/)?/.exec(path) ?? []
  return dir === 'modules' ? capability : dir
}

const capabilityOf = (path) => (path.startsWith('apps/server/src/modules/') ? ownerOf(path) : undefined)

/** Returns the names that several files of an app export, with the files. A name that is only handed on counts where it is made. */
export function sharedNames(sources) {
  const files = new Map()
  for (const { path, exports } of sources)
    for (const name of exports) {
      const key = `${path.split('/').slice(0, 2).join('/')}: ${name}`
      files.set(key, [...(files.get(key) ?? []), path])
    }
  return [...files]
    .filter(([, paths]) => paths.length > 1)
    .map(([key, paths]) => `${key} (${paths.join(', ')})`)
}

/** Returns the imports between capabilities of the server as `from -> to`, each once. */
export function arrows(sources) {
  const crossings = sources.flatMap(({ path, imports }) =>
    imports.flatMap((target) => {
      const [from, to] = [capabilityOf(path), capabilityOf(target)]
      return from && to && from !== to ? [`${from} -> ${to}`] : []
    }),
  )
  return [...new Set(crossings)].sort()
}

/** Returns the imports of a capability that is declared after the importing one. */
export function arrowsUp(sources) {
  return arrows(sources).filter((arrow) => {
    const [from, to] = arrow.split(' -> ').map((name) => CAPABILITIES.indexOf(name))
    return from === -1 || to === -1 || from < to
  })
}

/** The owner of every table: only its files query the table. An owner is a capability, or a directory of `apps/server/src`. */
export const OWNERS = new Map([['schema_migrations', 'db']])
for (const path of filesBelow(ROOT, 'apps/server/src').filter((path) =>
  /(?<!\/db)\/tables\.ts$/.test(path),
)) {
  const owner = ownerOf(path)
  // The list of all declarations has no owner.
  if (owner === undefined) continue
  for (const declared of Object.values(await import(join(ROOT, path))))
    for (const table of Object.keys(declared)) {
      if (OWNERS.has(table)) throw new Error(`${table} is declared by ${OWNERS.get(table)} and by ${owner}`)
      OWNERS.set(table, owner)
    }
}

/** Returns every violation of the declared architecture, as `path: problem`. */
export function breaches(sources) {
  const allowedUp = ARROWS_UP.map(([from, to]) => `${from} -> ${to}`)
  const up = arrowsUp(sources).filter((arrow) => !allowedUp.includes(arrow))
  return sources.flatMap(({ path, imports, tables, connections, readsOneNode }) => [
    ...(readsOneNode && !READERS_OF_ONE_NODE.some(([reader]) => reader === path)
      ? [`${path}: reads from one node, which may lie. Use nodes.quorumRead, or say in the list why it may.`]
      : []),
    ...connections.map(
      (what) => `${path}: uses ${what}. It takes a second connection, or may: use inTx and its dbTx.`,
    ),
    ...imports.flatMap((target) => importProblems(path, target, up)),
    ...tables.flatMap((table) => tableProblems(path, table)),
  ])
}

function importProblems(path, target, up) {
  const [from, to] = [capabilityOf(path), capabilityOf(target)]
  const forbidden = FORBIDDEN_IMPORTS.filter(
    ({ in: files, imports, except }) => files.test(path) && imports.test(target) && !except?.(target, path),
  )
  return [
    ...forbidden.map(({ because }) => `${path}: imports ${target}. ${because}`),
    ...(up.includes(`${from} -> ${to}`) ? [`${path}: imports ${target}. This arrow points up.`] : []),
  ]
}

function tableProblems(path, table) {
  const owner = OWNERS.get(table)
  if (owner === undefined || owner === ownerOf(path) || !path.startsWith('apps/server/src/')) return []
  if (READERS.some((reader) => reader.test(path))) return []
  return [`${path}: queries ${table}. Only ${owner} queries it.`]
}
