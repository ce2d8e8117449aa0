const FUNCTION = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/
/** The methods of Kysely that take a connection, without arguments. */
const TAKES_CONNECTION = /^(transaction|startTransaction|connection)$/
/** The properties of a node that introduce names. */
const BINDS = /^(params|id)$/
/** The names of parameters that receive an open transaction. */
const IN_TX = /^(dbTx|snapshot)$/

/**
 * Returns, as texts, the calls that take a second connection inside a transaction, or that open a transaction without
 * the helpers of `db/database.ts`. A transaction that holds one connection while it waits for another can deadlock
 * with others that do the same.
 */
export function connectionBreaches(program) {
  const breaches = new Set()
  visit(program, undefined, '', [])
  return [...breaches]

  /** `scopes` are the names that the enclosing functions introduce, from the outermost to the innermost. */
  function visit(node, parent, key, scopes) {
    if (Array.isArray(node)) for (const child of node) visit(child, parent, key, scopes)
    if (typeof node?.type !== 'string' || node.type.startsWith('TS')) {
      if (node?.expression !== undefined) visit(node.expression, node, 'expression', scopes)
      return
    }
    if (node.type === 'CallExpression' && isTaking(node)) breaches.add(`.${node.callee.property.name}()`)
    if (node.type === 'Identifier' && node.name === 'db' && isUsed(parent, key) && isRoot(scopes))
      breaches.add('db inside a transaction')
    const inner = FUNCTION.test(node.type) ? [...scopes, new Set(node.params.flatMap(namesOf))] : scopes
    for (const [name, child] of Object.entries(node)) {
      if (!BINDS.test(name)) visit(child, node, name, inner)
    }
  }
}

function isTaking({ callee, arguments: { length } }) {
  return length === 0 && TAKES_CONNECTION.test(callee.property?.name ?? '')
}

/** Reports whether `db` is declared outside the innermost function that has an open transaction. */
function isRoot(scopes) {
  for (const names of scopes.toReversed()) {
    if (names.has('db')) return false
    if ([...names].some((name) => IN_TX.test(name))) return true
  }
  return false
}

/** Reports whether an identifier is read: not the name of a property. */
function isUsed(parent, key) {
  if (parent?.type === 'MemberExpression') return key === 'object' || parent.computed
  return parent?.type !== 'Property' || key === 'value'
}

/** Returns the names that a parameter introduces. */
function namesOf(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => namesOf(property.value ?? property.argument))
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    default:
      return []
  }
}
