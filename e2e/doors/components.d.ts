/** Single file components: their own compilers read them. */
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export = component;
}
declare module '*.svelte' {
  import type { Component } from 'svelte';
  const component: Component;
  export = component;
}
