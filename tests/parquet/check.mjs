// check.mjs FOLDER: reads every NAME.parquet in it by hyparquet and by DuckDB, and compares value by value with
// NAME.json: {"columns": [[name, type]], "rows": [[value]]}, an int64 as its digits, a double as its 16 hexadecimal
// digits. Prints no value.
import fs from 'node:fs'
import path from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { DuckDBInstance } from '@duckdb/node-api'

const folder = process.argv[2]
let values = 0
let bad = 0

function complain(file, reader, what) {
  bad += 1
  if (bad <= 20) console.log(`${file}: ${reader}: ${what}`)
}

function bits(number) {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(number)
  return bytes.toString('hex')
}

// What a reader gave, as NAME.json has it.
function spelled(value, type) {
  if (value === null || value === undefined) return null
  if (type === 'int64') return typeof value === 'bigint' ? value.toString() : `no bigint but ${typeof value}`
  if (type === 'double') {
    if (typeof value !== 'number') return `no number but ${typeof value}`
    return Number.isNaN(value) ? 'nan' : bits(value)
  }
  return value
}

function compare(file, reader, expected, columns, rows, get) {
  if (rows.length !== expected.length) return complain(file, reader, `${rows.length} rows, not ${expected.length}`)
  for (let r = 0; r < rows.length; ++r) {
    for (let c = 0; c < columns.length; ++c) {
      values += 1
      const [name, type] = columns[c]
      const got = spelled(get(rows[r], c, name), type)
      if (got !== expected[r][c]) complain(file, reader, `row ${r}, column ${name} differs`)
    }
  }
}

const types = { int64: 'BIGINT', double: 'DOUBLE', boolean: 'BOOLEAN', utf8: 'VARCHAR' }
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const quoted = (text) => `'${text.replaceAll("'", "''")}'`
const named = (text) => `"${text.replaceAll('"', '""')}"`

let files = 0
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.parquet')).sort()) {
  files += 1
  const file = path.join(folder, name)
  const { columns, rows: expected } = JSON.parse(fs.readFileSync(file.replace(/\.parquet$/, '.json'), 'utf8'))

  if (columns === null) { // a table without rows: jsonl does not say which columns it has
    const count = await connection.runAndReadAll(`SELECT count(*) FROM read_parquet(${quoted(file)})`)
    if (count.getRows()[0][0] !== 0n) complain(name, 'DuckDB', 'it has rows')
    continue
  }
  const buffer = await asyncBufferFromFile(file)
  const metadata = await parquetMetadataAsync(buffer)
  if (Number(metadata.num_rows) !== expected.length) complain(name, 'hyparquet', 'another number of rows in the footer')
  const objects = expected.length === 0 ? [] : await parquetReadObjects({ file: buffer, compressors })
  compare(name, 'hyparquet', expected, columns, objects, (row, _, column) => row[column])

  const result = await connection.runAndReadAll(`SELECT * FROM read_parquet(${quoted(file)})`)
  if (result.columnNames().length !== columns.length) complain(name, 'DuckDB', 'another number of columns')
  result.columnNames().forEach((column, i) => {
    if (column !== columns[i][0]) complain(name, 'DuckDB', `column ${i} has another name`)
  })
  result.columnTypes().forEach((type, i) => {
    if (String(type) !== types[columns[i][1]]) complain(name, 'DuckDB', `column ${i} is ${type}`)
  })
  compare(name, 'DuckDB', expected, columns, result.getRows(), (row, c) => row[c])

  // DuckDB skips row groups by their smallest and largest values: what it finds must not depend on that.
  for (let c = 0; c < columns.length; ++c) {
    const [column, type] = columns[c]
    if (type === 'double') continue
    const wanted = new Map()
    for (const row of expected) if (row[c] !== null) wanted.set(row[c], (wanted.get(row[c]) ?? 0) + 1)
    for (const [value, count] of [...wanted].slice(0, 5).concat([...wanted].slice(-5))) {
      if (type === 'utf8' && value.includes('\0')) continue // no literal of SQL has one
      const literal = type === 'utf8' ? quoted(value) : type === 'int64' ? `'${value}'::BIGINT` : String(value)
      const found = await connection.runAndReadAll(
        `SELECT count(*) FROM read_parquet(${quoted(file)}) WHERE ${named(column)} = ${literal}`)
      values += 1
      if (found.getRows()[0][0] !== BigInt(count)) complain(name, 'DuckDB', `a filter on column ${column} finds another number`)
    }
  }
}
console.log(`${files} files, ${values} values, ${bad} differ`)
process.exit(bad === 0 && files > 0 ? 0 : 1)
