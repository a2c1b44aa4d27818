/**
 * Elements as plain data, so that what is shown can be looked at without a browser. `create` is the one place that makes real
 * ones: every text becomes a text node, so that a result that holds `<script>` is read as what it is.
 */

/** Attributes that are set as they are; an address is looked at first. */
const ATTRIBUTES =
  /^(class|id|href|title|type|role|tabindex|for|open|disabled|hidden|colspan|start|scope|datetime|rel|target|aria-[a-z]+|data-[a-z]+)$/;

/** @returns an element as data; children that are false, null or undefined are left out. */
export function h(tag, properties = {}, ...children) {
  return { tag, properties, children: children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== false && child != null) };
}

/** Only our own places and pages of the web can be linked to: no script, no data. */
export function safeAddress(address) {
  return /^(#|https?:\/\/)/i.test(address) ? address : undefined;
}

/** Makes the real element. `on` holds listeners, `style` lengths. */
export function create(node, document) {
  if (typeof node !== 'object') return document.createTextNode(String(node));
  const element = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.properties)) apply(element, name, value);
  const [only] = node.children;
  if (node.children.length === 1 && typeof only !== 'object') element.textContent = String(only);
  else element.append(...node.children.map((child) => create(child, document)));
  return element;
}

function apply(element, name, value) {
  if (value === undefined || value === false) return;
  if (name === 'on') for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
  else if (name === 'style') for (const [property, length] of Object.entries(value)) element.style.setProperty(property, length);
  else if (name === 'href') {
    const address = safeAddress(value);
    if (address !== undefined) element.setAttribute('href', address);
  } else if (ATTRIBUTES.test(name)) element.setAttribute(name, value === true ? '' : String(value));
}
