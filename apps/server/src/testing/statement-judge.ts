import { loadModule, parseSync } from 'libpg-query'
import type { TableClass } from '../db/tables.ts'
import { MEMBER_VIEWS, TABLE_CLASSES } from '../tables.ts'

/** A node of PostgreSQL's own parse tree: its kind is the only key, its fields are the value. */
type Tree = { readonly [key: string]: unknown }

/** The tables that are distributed by member, and those on the coordinator. */
interface Places {
  readonly isDistributed: (table: string | undefined) => boolean
  readonly isCoordinators: (table: string) => boolean
}

/** A table or subquery of one level of a statement, by the name that qualifies its columns there. */
interface Source {
  readonly name: string
  readonly table: string | undefined
}

const VOLATILE = new Set([
  'now',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'timeofday',
  'random',
  'gen_random_uuid',
  'nextval',
  'currval',
  'lastval',
  'setval',
  'txid_current',
])
const MEMBER = 'member_id'

/** The classes of all tables, and of the views of members' rows. */
const CLASSES: Readonly<Record<string, TableClass>> = {
  ...TABLE_CLASSES,
  ...Object.fromEntries(MEMBER_VIEWS.map((view) => [view, 'distributed'])),
}

/** Loads PostgreSQL's parser, once. */
export const loadParser = () => loadModule()

/**
 * Returns the causes that prevent a statement from running on distributed tables, one line for each; an empty
 * list for most statements. Judges the parse tree alone (docs/scale.md, "Statements on distributed tables"),
 * so it needs no Citus. Call `loadParser` first.
 */
export function judgeStatement(
  text: string,
  classes: Readonly<Record<string, TableClass>> = CLASSES,
): string[] {
  const isDistributed = (table: string | undefined) => table !== undefined && classes[table] === 'distributed'
  const isCoordinators = (table: string) => classes[table] === 'coordinator' && !local.has(table)
  const statement = parseSync(text) as unknown as Tree
  const local = new Set(find(statement, 'CommonTableExpr').map(({ ctename }) => String(ctename)))
  const tables = find(statement, 'RangeVar')
    .map(({ relname }) => String(relname))
    .filter((name) => !local.has(name))
  const problems = new Set<string>()
  for (const { relation, targetList } of find(statement, 'UpdateStmt')) {
    const table = (relation as Tree).relname as string
    for (const target of find(targetList, 'ResTarget'))
      if (classes[table] !== undefined && isIntervalOfColumn(target))
        problems.add(`an interval beside a column in a change of ${table}: pass the time in, or to_timestamp`)
  }
  if (!tables.some(isDistributed)) return [...problems]

  for (const { recursive } of find(statement, 'withClause'))
    if (recursive) problems.add('a recursive query on distributed tables')
  if (find(statement, 'GroupingSet').length > 0) problems.add('grouping sets on distributed tables')
  const changes = [...find(statement, 'UpdateStmt'), ...find(statement, 'InsertStmt')]
  if (changes.length > 0 && find(statement, 'CaseExpr').some(({ arg }) => arg !== undefined))
    problems.add('`case x when` in a change: `case when x =`')

  for (const kind of ['UpdateStmt', 'InsertStmt'] as const) {
    for (const change of find(statement, kind)) {
      const into = (change.relation as Tree).relname as string
      if (!isDistributed(into)) continue
      const written = kind === 'UpdateStmt' ? change.targetList : change.onConflictClause
      for (const name of functionsIn(written))
        if (VOLATILE.has(name)) problems.add(`${name}() in a change of ${into}: pass the value in`)
    }
  }
  for (const kind of ['SelectStmt', 'UpdateStmt', 'DeleteStmt'] as const) {
    for (const level of find(statement, kind))
      judgeLevel(level, local, { isDistributed, isCoordinators }, problems)
  }
  return [...problems].sort()
}

/** Judges the tables that one level of a statement joins, and the rows that it locks. */
function judgeLevel(
  level: Tree,
  local: ReadonlySet<string>,
  { isDistributed, isCoordinators }: Places,
  problems: Set<string>,
): void {
  const from = [level.relation, ...list(level.fromClause), ...list(level.usingClause)]
  const sources: Source[] = []
  const conditions: unknown[] = [level.whereClause]
  for (const item of from) collect(item, sources, conditions)
  const own = sources.filter(({ table }) => table !== undefined && !local.has(table) && isDistributed(table))
  if (own.length === 0) {
    judgeSubqueries(level, sources, isDistributed, problems)
    if (sources.some(({ table }) => table !== undefined && isCoordinators(table)))
      judgeLateral(from, isDistributed, problems)
    return
  }
  const group = joinedByMember(sources, conditions)
  const isPinned = (source: Source) => group.get(source.name) === group.get(PINNED)
  if (level.lockingClause !== undefined && !own.every(isPinned))
    problems.add(`rows of several members locked: ${own.map(({ table }) => table).join(', ')}`)
  if (!own.every(isPinned)) {
    for (const { subselect } of find(level.targetList, 'SubLink'))
      for (const { relname } of find(subselect, 'RangeVar'))
        if (isCoordinators(String(relname)))
          problems.add(
            `${relname} read beside columns of all members: select these in a materialized part first`,
          )
  }
  const [first, ...others] = own
  for (const other of others)
    if (group.get(other.name) !== group.get(first!.name))
      problems.add(`${first!.table} and ${other.table} joined by something else than the member`)
}

/**
 * Judges the subqueries of a level without distributed tables: Citus cannot execute one for each of its rows.
 */
function judgeSubqueries(
  level: Tree,
  sources: readonly Source[],
  isDistributed: (table: string | undefined) => boolean,
  problems: Set<string>,
): void {
  const names = new Set(sources.map(({ name }) => name))
  for (const { subselect } of find([level.targetList, level.whereClause], 'SubLink')) {
    const tables = find(subselect, 'RangeVar')
      .map(({ relname }) => String(relname))
      .filter(isDistributed)
    if (tables.length === 0) continue
    const isForEachRow = find(subselect, 'ColumnRef').some(({ fields }) => {
      const [first, ...others] = list(fields).map(
        (field) => ((field as Tree).String as Tree | undefined)?.sval,
      )
      return others.length > 0 && names.has(String(first))
    })
    if (isForEachRow) problems.add(`${tables.join(', ')} read for each row of what is not distributed`)
    else if (sources.length === 0 && hasNoColumns(subselect) && list(level.targetList).length > 1)
      problems.add('a subquery without columns beside other values: select 1')
  }
}

/**
 * Judges subqueries of a `from` that are executed for each row of the others, where these are of the
 * coordinator.
 */
function judgeLateral(
  from: readonly unknown[],
  isDistributed: (table: string | undefined) => boolean,
  problems: Set<string>,
): void {
  for (const { lateral, subquery } of find(from, 'RangeSubselect')) {
    const tables = find(subquery, 'RangeVar')
      .map(({ relname }) => String(relname))
      .filter(isDistributed)
    if (lateral && tables.length > 0)
      problems.add(`${tables.join(', ')} read for each row of what is not distributed`)
  }
}

/** The group of sources whose member is a given value. */
const PINNED = ''

/** Returns a group for each source; the conditions give the sources of one group the same member. */
function joinedByMember(sources: readonly Source[], conditions: readonly unknown[]): Map<string, number> {
  const group = new Map([PINNED, ...sources.map(({ name }) => name)].map((name, index) => [name, index]))
  const unite = (member: string, other: string) => {
    const [kept, left] = [group.get(member), group.get(other)]
    if (kept === undefined || left === undefined) return
    for (const [name, value] of group) if (value === left) group.set(name, kept)
  }
  const memberOf = (node: unknown): string | undefined => {
    const fields = list((node as Tree | undefined)?.ColumnRef && ((node as Tree).ColumnRef as Tree).fields)
    const names = fields.map((field) => ((field as Tree).String as Tree | undefined)?.sval as string)
    if (names.at(-1)?.endsWith('member_id') !== true && names.at(-1) !== 'member') return undefined
    return names.length > 1 ? names.at(-2) : names[0] === MEMBER ? sources[0]?.name : undefined
  }
  const isValue = (node: unknown): boolean =>
    typeof node === 'object' &&
    node !== null &&
    ('ParamRef' in node || 'A_Const' in node || ('TypeCast' in node && isValue((node.TypeCast as Tree).arg)))
  const visit = (condition: unknown): void => {
    if (typeof condition !== 'object' || condition === null) return
    const { BoolExpr, A_Expr, Using } = condition as { BoolExpr?: Tree; A_Expr?: Tree; Using?: string[] }
    if (BoolExpr?.boolop === 'AND_EXPR') for (const part of list(BoolExpr.args)) visit(part)
    if (Using !== undefined) for (const name of Using.slice(1)) unite(Using[0]!, name)
    if (A_Expr?.kind !== 'AEXPR_OP' || operatorOf(A_Expr) !== '=') return
    const [left, right] = [rowOf(A_Expr.lexpr), rowOf(A_Expr.rexpr)]
    left.forEach((part, place) => {
      const [member, other] = [memberOf(part), memberOf(right[place])]
      if (member !== undefined && other !== undefined) unite(member, other)
      else if (member !== undefined && isValue(right[place])) unite(PINNED, member)
      else if (other !== undefined && isValue(part)) unite(PINNED, other)
    })
  }
  for (const condition of conditions) visit(condition)
  return group
}

/** Reports whether a time is computed from a column and an interval, which is not immutable: Citus refuses it in an update. */
const isIntervalOfColumn = (target: Tree): boolean =>
  find(target, 'ColumnRef').length > 0 &&
  find(target, 'TypeCast').some(({ typeName }) => typeOf(typeName as Tree) === 'interval')

const typeOf = ({ names }: Tree) => ((list(names).at(-1) as Tree).String as Tree).sval

const operatorOf = ({ name }: Tree) => ((list(name)[0] as Tree).String as Tree).sval

/** Returns the members of a row expression, or the expression itself. */
const rowOf = (node: unknown): unknown[] => {
  const row = (node as Tree | undefined)?.RowExpr as Tree | undefined
  return row === undefined ? [node] : list(row.args)
}

/** Adds the sources of a part of a `from` and the conditions that join them. */
function collect(item: unknown, sources: Source[], conditions: unknown[]): void {
  if (typeof item !== 'object' || item === null) return
  const { RangeVar, JoinExpr, RangeSubselect, RangeFunction } = item as Record<string, Tree | undefined>
  const plain = RangeVar ?? ('relname' in item ? (item as Tree) : undefined)
  if (plain !== undefined) {
    const alias = (plain.alias as Tree | undefined)?.aliasname
    sources.push({ name: String(alias ?? plain.relname), table: String(plain.relname) })
  } else if (JoinExpr !== undefined) {
    const [left, right]: [Source[], Source[]] = [[], []]
    collect(JoinExpr.larg, left, conditions)
    collect(JoinExpr.rarg, right, conditions)
    sources.push(...left, ...right)
    conditions.push(JoinExpr.quals)
    const using = list(JoinExpr.usingClause).map((name) => ((name as Tree).String as Tree).sval)
    if (using.includes(MEMBER)) conditions.push({ Using: [...left, ...right].map(({ name }) => name) })
  } else {
    const alias = ((RangeSubselect ?? RangeFunction)?.alias as Tree | undefined)?.aliasname
    if (alias !== undefined) sources.push({ name: String(alias), table: undefined })
  }
}

function hasNoColumns(subselect: unknown): boolean {
  const select = (subselect as Tree | undefined)?.SelectStmt as Tree | undefined
  return (
    select !== undefined &&
    select.op === 'SETOP_NONE' &&
    list(select.targetList).length === 0 &&
    !select.valuesLists
  )
}

const functionsIn = (node: unknown): string[] =>
  find(node, 'FuncCall').map(({ funcname }) => String(((list(funcname).at(-1) as Tree).String as Tree).sval))

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Returns the nodes of a kind in a tree. The tables of data changes are in it without their kind. */
function find(node: unknown, kind: string, nodes: Tree[] = []): readonly Tree[] {
  if (Array.isArray(node)) for (const part of node) find(part, kind, nodes)
  else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (key === kind || (kind === 'RangeVar' && key === 'relation')) {
        const inner = (value as Tree).RangeVar ?? value
        if (kind !== 'RangeVar' || 'relname' in (inner as Tree)) nodes.push(inner as Tree)
        if (key === kind && kind === 'RangeVar') continue
      }
      find(value, kind, nodes)
    }
  }
  return nodes
}
